/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Line charts of the last minutes, drawn by uPlot, which a classic script has loaded.

import {bytes} from './format.js';
import {history} from './history.js';

const KINDS = {
  memory: {
    columns: ['reserved', 'pinned', 'cached'],
    height: 140,
    axis: (values) => values.map(bytes),
    scale: {range: (_, low, high) => [0, Math.max(1, high ?? 1) * 1.05]},
    told: bytes,
  },
  hits: {
    columns: ['hits'],
    height: 95,
    axis: (values) => values.map((value) => `${value} %`),
    scale: {range: [0, 100]},
    splits: [0, 50, 100],
    told: (value) => `${value.toFixed(1)} %`,
  },
};

const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300];

const drawn = new Map();

/** What a variable of the style sheet says, as a canvas wants it. */
function color(name) {
  const probe = document.getElementById('pulse');
  const before = probe.style.color;
  probe.style.color = `var(--${name})`;
  const found = getComputedStyle(probe).color;
  probe.style.color = before;
  return found;
}

function make(place, kind, data) {
  const axis = () => ({
    stroke: () => color('dim'),
    grid: {stroke: () => color('line'), width: 1},
    ticks: {stroke: () => color('line'), width: 1},
    font: '11px system-ui, sans-serif',
  });
  return new uPlot(
    {
      width: Math.max(120, place.clientWidth),
      height: kind.height,
      legend: {show: false},
      cursor: {drag: {x: false, y: false}, points: {show: false}},
      scales: {y: kind.scale},
      axes: [
        {...axis(), space: 70, size: 30, incrs: STEPS_SECONDS, values: (_, ticks) => ticks.map((tick) => new Date(tick * 1000).toLocaleTimeString('en-GB'))},
        {...axis(), size: 76, space: 30, values: (_, values) => kind.axis(values), splits: kind.splits && (() => kind.splits),
          incrs: kind.splits ? undefined : powersOfTwo()},
      ],
      series: [{}, ...kind.columns.map((name) => ({
        label: name,
        stroke: () => color(name),
        width: 1.5,
        points: {show: false},
      }))],
    },
    data,
    place,
  );
}

// Steps that read well in binary units.
function powersOfTwo() {
  return Array.from({length: 41}, (_, power) => 2 ** power);
}

/** A line for those who do not see the chart. */
function told(name, kind, data) {
  const words = kind.columns.map((column, index) => {
    const values = data[index + 1].filter((value) => value !== null);
    return values.length === 0
      ? `${column}: none`
      : `${column}: now ${kind.told(values.at(-1))}, from ${kind.told(Math.min(...values))} to ${kind.told(Math.max(...values))}`;
  });
  return `${name}, the last ${Math.round(data[0].at(-1) - data[0][0])} seconds. ${words.join('; ')}.`;
}

/** Draws what has a place in the page, and forgets what has none any more. */
export function drawCharts(host) {
  const places = new Set(document.querySelectorAll('[data-chart]'));
  for (const [place, chart] of drawn) {
    if (!places.has(place)) {
      chart.destroy();
      drawn.delete(place);
    }
  }
  for (const place of places) {
    draw(place, host);
  }
}

function draw(place, host) {
  const {chart: name, pool, memory} = place.dataset;
  const kind = KINDS[name];
  const past = history(host, pool, memory);
  if (!past || past.seconds.length < 2) {
    return; // a point is no line
  }
  const data = [past.seconds, ...kind.columns.map((column) => past[column])];
  place.setAttribute('role', 'img');
  place.setAttribute('aria-label', told(name === 'hits' ? 'Thread-cache hits' : `${memory} memory`, kind, data));
  const chart = drawn.get(place);
  if (chart?.host === host) {
    chart.setData(data);
  } else {
    chart?.destroy();
    const fresh = make(place, kind, data);
    fresh.host = host;
    drawn.set(place, fresh);
  }
}

document.addEventListener('theme', () => drawn.forEach((chart) => chart.redraw(false)));

addEventListener('resize', () => {
  for (const [place, chart] of drawn) {
    chart.setSize({width: Math.max(120, place.clientWidth), height: chart.height});
  }
});
