/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Memory and its limit, now and over the last hour.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import uPlot from './lib/uplot/uPlot.esm.js';
import {bytes, bytesOrDash, clock, percent} from './format.js';
import {bar, byteFigure, fact, legend, sum} from './parts.js';

const PARTS = ['pinned', 'cached', 'free'];

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Charts by their element. */
const charts = new Map();

export function memoryView(view) {
  return html`${['direct', 'heap']
    .filter((memory) => isUsed(view, memory))
    .map((memory) => oneMemory(view, memory))}`;
}

/** Returns whether the process has reserved this memory now or in the last hour; the page hides unused memory. */
function isUsed({host, history}, memory) {
  const before = history ? (column(history, memory, 'reserved_bytes') ?? []) : [];
  return sum(host, memory, 'reserved_bytes') > 0 || before.some((value) => value > 0);
}

function oneMemory(view, memory) {
  const of = (key) => sum(view.host, memory, `${key}_bytes`);
  const reserved = of('reserved');
  const limit = of('limit');
  const used = of('limit_used');
  const others = Math.max(0, (used ?? reserved) - reserved);
  const label = limit === undefined
    ? `${bytes(reserved)} reserved, no limit of its own`
    : `${bytes(used)} used of the limit of ${bytes(limit)}, ${percent(used, limit)}`;
  const parts = [...PARTS.map((kind) => ({kind, value: of(kind) ?? 0})), {kind: 'others', value: limit === undefined ? 0 : others}];
  return html`<section class="card" id="memory-${memory}" aria-label="${memory} memory">
    <h3>${memory === 'direct' ? 'Direct' : 'Heap'} memory <small>${label}</small></h3>
    ${bar(parts, Math.max(limit ?? 0, reserved), label)}
    <dl>
      ${PARTS.map((kind) => fact(legend(kind), byteFigure(of(kind), `${kind}_bytes`)))}
      ${limit === undefined ? nothing : fact(legend('others', 'used outside the pools'), byteFigure(others, 'limit_used_bytes'))}
      ${fact('reserved', byteFigure(reserved, 'reserved_bytes'))}
      ${fact(legend('resident'), byteFigure(of('resident'), 'resident_bytes'))}
      ${fact(legend('limit'), limit === undefined ? 'none of its own' : byteFigure(limit, 'limit_bytes'))}
    </dl>
    <div class="chart" data-host=${view.host.host_id} data-memory=${memory} role="img" aria-label="${memory} memory over the last hour; the table below has the values"></div>
    ${limitNote(view, memory)}
    ${hourTable(view, memory)}
  </section>`;
}

function column(history, memory, key) {
  return history.columns.find((one) => one.memory === memory && one.key === key)?.values;
}

/** Returns the values of the chart as a table with a row for each minute, for readers with a screen reader. */
function hourTable({history}, memory) {
  if (!history || history.times_millis.length === 0) {
    return html`<p class="note">The chart begins with the next report.</p>`;
  }
  const keys = [...PARTS, 'resident', 'limit_used'];
  const rows = history.times_millis
    .map((time, index) => ({time, index}))
    .filter(({time}, at, all) => at === 0 || Math.floor(time / 60_000) !== Math.floor(all[at - 1].time / 60_000));
  return html`<details class="plain"><summary>The last hour as a table</summary><div class="scroll"><table>
    <thead><tr><th scope="col">time (UTC)</th>${keys.map((key) => html`<th scope="col">${key.replace('_', ' ')}</th>`)}</tr></thead>
    <tbody>${repeat(rows, ({time}) => time, ({time, index}) => html`<tr><th scope="row">${clock(time)}</th>
      ${keys.map((key) => html`<td>${bytesOrDash(column(history, memory, `${key}_bytes`)?.[index])}</td>`)}</tr>`)}</tbody>
  </table></div></details>`;
}

/**
 * Draws the charts into the elements that the page shows now.
 *
 * @param views views of the processes, by host ID
 */
export function drawCharts(views) {
  for (const element of document.querySelectorAll('.chart')) {
    drawChart(views.get(element.dataset.host), element);
  }
  for (const [element, chart] of charts) {
    if (!element.isConnected) {
      remove(element, chart);
    }
  }
}

function remove(element, chart) {
  chart.observer.disconnect();
  chart.destroy();
  charts.delete(element);
}

function drawChart(view, element) {
  const history = view?.history;
  if (!history || history.times_millis.length === 0) {
    return;
  }
  const data = stacked(history, element.dataset.memory);
  let chart = charts.get(element);
  const key = `${document.documentElement.dataset.theme} ${DARK.matches} ${view.host.host_id}`;
  if (chart && chart.key !== key) {
    remove(element, chart);
    chart = undefined;
  }
  if (!chart) {
    chart = new uPlot(options(view, element), data, element);
    chart.key = key;
    charts.set(element, chart);
    chart.observer = new ResizeObserver(() => charts.get(element)?.setSize({width: element.clientWidth, height: 180}));
    chart.observer.observe(element);
  }
  chart.view = view;
  chart.setData(data);
}

/** Returns the data of the chart: times; pinned, cached and free, stacked; and the lines resident and limit. */
function stacked(history, memory) {
  const of = (key) => column(history, memory, `${key}_bytes`) ?? history.times_millis.map(() => null);
  const parts = PARTS.map(of);
  const sums = parts.map((unused, last) =>
    history.times_millis.map((time, index) => parts.slice(0, last + 1).reduce((all, part) => all + (part[index] ?? 0), 0)));
  return [history.times_millis.map((time) => time / 1000), ...sums, of('resident'), of('limit')];
}

/** Ratio of the limit to the memory above which the chart omits the limit, which would flatten the memory. */
const LIMIT_PARTS = 4;

/** Returns the highest value of the chart: the limit, unless it is far above all memory of the hour. */
function top([, , , held = [], resident = [], limit = []]) {
  const peak = Math.max(1, ...held, ...resident);
  const highest = Math.max(...limit);
  return highest > LIMIT_PARTS * peak ? peak : Math.max(highest, peak);
}

function limitNote(view, memory) {
  const data = view.history ? stacked(view.history, memory) : [[]];
  const limit = data[0].length > 0 ? Math.max(...data[5]) : 0;
  return limit > LIMIT_PARTS * top(data) ? html`<p class="note">The limit of ${bytes(limit)} is above the chart.</p>` : nothing;
}

function colour(name) {
  const probe = document.createElement('i');
  probe.className = `swatch ${name}`;
  document.body.append(probe);
  const found = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return found;
}

function options(view, element) {
  const text = getComputedStyle(document.body).color;
  const axis = {stroke: text, grid: {stroke: colour('line'), width: 1}};
  const area = (kind) => ({label: kind, stroke: colour(kind), fill: colour(kind), width: 0, points: {show: false}});
  const line = (kind, dash) => ({label: kind, stroke: colour(kind), width: 2, dash, points: {show: false}});
  return {
    width: element.clientWidth,
    height: 180,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    padding: [8, 28, 0, 0],
    scales: {y: {range: (self) => [0, 1.05 * top(self.data)]}},
    axes: [
      {...axis, space: 80, values: (self, ticks) => ticks.map((seconds) => clock(1000 * seconds))},
      {...axis, size: 84, splits: (self, index, least, most) => binarySplits(most), values: (self, ticks) => ticks.map((value) => bytes(value))},
    ],
    series: [{}, area('pinned'), area('cached'), area('free'), line('resident', [2, 3]), line('limit')],
    bands: [{series: [2, 1]}, {series: [3, 2]}],
    legend: {show: false},
    cursor: {drag: {x: false, y: false}},
    hooks: {
      draw: [(self) => drawMarks(self)],
      ready: [(self) => self.over.addEventListener('click', () => {
        if (self.cursor.idx !== null) {
          self.view.chooseMoment(self.data[0][self.cursor.idx] * 1000);
        }
      })],
    },
  };
}

/** Returns the values of three to six grid lines, at multiples of a power of two. */
function binarySplits(most) {
  let step = 1;
  while (most / step > 5) {
    step *= 2;
  }
  return Array.from({length: Math.floor(most / step) + 1}, (unused, index) => index * step);
}

/** Number of rows for the labels of marks, so that the labels of close marks do not overlap. */
const LABEL_ROWS = 4;

/** Draws marks for the start, for changes of the mode, and for the two chosen moments. */
function drawMarks(self) {
  const {context, moments} = {context: self.ctx, moments: self.view?.marks ?? []};
  context.save();
  context.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  for (const [index, {time, label, kind}] of moments.entries()) {
    const x = self.valToPos(time / 1000, 'x', true);
    if (x >= self.bbox.left && x <= self.bbox.left + self.bbox.width) {
      context.strokeStyle = context.fillStyle = colour(kind);
      context.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      context.beginPath();
      context.moveTo(x, self.bbox.top);
      context.lineTo(x, self.bbox.top + self.bbox.height);
      context.stroke();
      const isAtTheEnd = x > self.bbox.left + self.bbox.width / 2;
      context.textAlign = isAtTheEnd ? 'right' : 'left';
      context.fillText(label, x + (isAtTheEnd ? -4 : 4), self.bbox.top + 12 * (1 + index % LABEL_ROWS) * devicePixelRatio);
    }
  }
  context.restore();
}
