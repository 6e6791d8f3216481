/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Draws a dashboard from its JSON and the results of its queries: similar enough to Grafana to show overlaps, empty
// panels, legends that are too long, and wrong units.
'use strict';

const COLUMNS = 24;
const CELL = 30;
const GAP = 8;
const POWERS_OF_TWO = [...Array(50).keys()].map(power => 2 ** power);
const COLORS = ['#56a64b', '#f2cc0c', '#3274d9', '#ff780a', '#e02f44', '#a352cc', '#37872d', '#e0b400', '#1f60c4',
  '#fa6400', '#c4162a', '#8f3bb8', '#96d98d', '#ffee52', '#8ab8ff', '#ffb357', '#ff7383', '#ca95e5'];

function element(name, className, ...children) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

function place(node, grid) {
  const column = (document.documentElement.clientWidth - GAP) / COLUMNS;
  node.style.left = grid.x * column + GAP + 'px';
  node.style.top = grid.y * (CELL + GAP) + 'px';
  node.style.width = grid.w * column - GAP + 'px';
  node.style.height = grid.h * (CELL + GAP) - GAP + 'px';
}

function legendOf(answer, series) {
  if (!answer.legend || answer.legend === '__auto') {
    return Object.entries(series.labels).map(([name, value]) => name + '="' + value + '"').join(', ');
  }
  return answer.legend.replace(/\{\{\s*(\w+)\s*}}/g, (all, label) => series.labels[label] ?? '');
}

/** Returns all series of a panel, each with its options. */
function lines(panel) {
  const defaults = panel.fieldConfig.defaults;
  return panel.answers.flatMap(answer => answer.series.map(series => {
    const line = {name: legendOf(answer, series), points: series.points, refId: answer.refId,
      unit: defaults.unit, custom: {...defaults.custom}, color: null};
    for (const override of panel.fieldConfig.overrides ?? []) {
      if (matches(override.matcher, line)) {
        override.properties.forEach(property => apply(line, property));
      }
    }
    return line;
  })).map((line, index) => ({...line, color: line.color ?? COLORS[index % COLORS.length]}));
}

function matches(matcher, field) {
  switch (matcher.id) {
    case 'byName': return field.name === matcher.options;
    case 'byRegexp': return new RegExp(matcher.options.replace(/^\/|\/$/g, '')).test(field.name);
    case 'byFrameRefID': return field.refId === matcher.options;
    default: throw new Error('a matcher that the test does not know: ' + matcher.id);
  }
}

function apply(field, property) {
  if (property.id === 'unit') {
    field.unit = property.value;
  } else if (property.id === 'color' && property.value.fixedColor) {
    field.color = property.value.fixedColor.replace(/^(super-light|light|semi-dark|dark)-/, '');
  } else if (property.id.startsWith('custom.')) {
    field.custom[property.id.slice('custom.'.length)] = property.value;
  } else {
    field[property.id] = property.value;
  }
}

/** Returns a column of times, and a column of values for each line. */
function columns(all) {
  const times = [...new Set(all.flatMap(line => line.points.map(point => point[0])))].sort((a, b) => a - b);
  const index = new Map(times.map((time, i) => [time, i]));
  return [times, ...all.map(line => {
    const values = new Array(times.length).fill(null);
    line.points.forEach(([time, value]) => values[index.get(time)] = value);
    return values;
  })];
}

function isStacked(line) {
  return line.custom.stacking?.mode === 'normal';
}

/** Returns the lines in drawing order: the highest band first, so that lower bands stay visible, then unstacked lines. */
function ordered(all) {
  return [...all.filter(isStacked).reverse(), ...all.filter(line => !isStacked(line))];
}

/** Returns the values of each stacked line as the sum of itself and the lines before it. */
function stack(all, data) {
  const sums = new Array(data[0].length).fill(0);
  return new Map(all.map((line, index) => [line, isStacked(line)
    ? data[index + 1].map((value, i) => value === null ? null : sums[i] += value)
    : data[index + 1]]));
}

const REDUCERS = {
  lastNotNull: values => values[values.length - 1],
  last: values => values[values.length - 1],
  max: values => Math.max(...values),
  min: values => Math.min(...values),
  mean: values => values.reduce((sum, value) => sum + value, 0) / values.length,
  sum: values => values.reduce((sum, value) => sum + value, 0),
};
const REDUCER_TITLES = {lastNotNull: 'Last *', last: 'Last', max: 'Max', min: 'Min', mean: 'Mean', sum: 'Total'};

function reduced(calc, line) {
  if (!(calc in REDUCERS)) {
    throw new Error('a calculation that the test does not know: ' + calc);
  }
  return REDUCERS[calc](line.points.map(point => point[1]));
}

function swatch(line) {
  const mark = element('i', '');
  mark.style.background = line.color;
  return mark;
}

function drawLegend(options, all) {
  const box = element('div', 'legend');
  if (options.displayMode === 'table') {
    const calcs = options.calcs ?? [];
    const table = element('table', 'legend-table',
      element('tr', '', element('th', '', 'Name'), ...calcs.map(calc => element('th', '', REDUCER_TITLES[calc] ?? calc))));
    all.forEach(line => table.append(element('tr', '', element('td', 'item', swatch(line), line.name),
      ...calcs.map(calc => element('td', '', format(line.unit, reduced(calc, line)))))));
    box.append(table);
  } else {
    all.forEach(line => box.append(element('span', 'item', swatch(line), line.name), ' '));
  }
  return box;
}

function drawTimeseries(panel, content) {
  const all = lines(panel);
  const legend = panel.options?.legend ?? {showLegend: true};
  const plot = element('div', 'plot');
  content.append(plot);
  if (legend.showLegend !== false) {
    content.append(drawLegend(legend, all));
    content.classList.toggle('beside', legend.placement === 'right');
  }
  const data = columns(all);
  const values = stack(all, data);
  new uPlot(plotOptions(panel, ordered(all), plot), [data[0], ...ordered(all).map(line => values.get(line))], plot);
}

function plotOptions(panel, all, plot) {
  const unit = panel.fieldConfig.defaults.unit;
  const custom = panel.fieldConfig.defaults.custom ?? {};
  return {
    width: plot.clientWidth,
    height: plot.clientHeight,
    padding: [null, 28, null, null],
    legend: {show: false},
    cursor: {show: false},
    scales: {
      x: {min: board.startSeconds, max: board.endSeconds},
      y: {range: (u, low, high) => yRange(panel.fieldConfig.defaults, custom, low, high)},
    },
    axes: [{
      font: '12px Helvetica',
      space: 80,
      values: (u, splits) => splits.map(seconds => new Date(seconds * 1000).toTimeString().slice(0, 8)),
    }, {
      font: '12px Helvetica',
      size: 86,
      ...(unit === 'bytes' || unit === 'binBps' ? {incrs: POWERS_OF_TWO} : {}),
      values: (u, splits) => {
        const ticks = splits.map(value => format(unit, value));
        plot.parentElement.parentElement.dataset.ticks = JSON.stringify(ticks);
        return ticks;
      },
    }],
    series: [{}, ...all.map(line => ({
      stroke: line.color,
      width: line.custom.lineWidth ?? 1,
      dash: line.custom.lineStyle?.dash,
      fill: isStacked(line) ? mixed(line.color, 0.45) : mixed(line.color, (line.custom.fillOpacity ?? 0) / 100, true),
      points: {show: line.custom.showPoints === 'always' || line.points.length === 1},
      spanGaps: false,
    }))],
  };
}

/** Returns a colour mixed with white, so that lines behind a band are not visible through it. */
function mixed(color, share, transparent) {
  const parts = [1, 3, 5].map(from => parseInt(color.slice(from, from + 2), 16));
  if (Number.isNaN(parts[0])) {
    return color;
  }
  return transparent
    ? 'rgba(' + parts.join(',') + ',' + share + ')'
    : 'rgb(' + parts.map(part => Math.round(255 - (255 - part) * share)).join(',') + ')';
}

function yRange(defaults, custom, low, high) {
  const from = defaults.min ?? Math.min(low ?? 0, custom.axisSoftMin ?? low ?? 0);
  let to = defaults.max ?? Math.max(high ?? 0, custom.axisSoftMax ?? high ?? 0);
  if (to <= from) {
    to = from + 1;
  }
  return [from, defaults.max ?? to + (to - from) * 0.05];
}

function thresholdColor(defaults, value) {
  let color = 'text';
  (defaults.thresholds?.steps ?? []).forEach(step => {
    if (step.value === null || step.value === undefined || value >= step.value) {
      color = step.color;
    }
  });
  return color === 'text' ? '#24292e' : color;
}

function sparkline(points) {
  const values = points.map(point => point[1]);
  const high = Math.max(...values) || 1;
  const low = Math.min(0, ...values);
  const path = points.map(([, value], i) =>
    (i * 100 / Math.max(1, points.length - 1)) + ',' + (100 - (value - low) * 100 / (high - low))).join(' ');
  const holder = element('div', '');
  holder.innerHTML = '<svg viewBox="0 0 100 100" preserveAspectRatio="none"><polygon fill="#e3e9f5" points="0,100 '
    + path + ' 100,100"></polygon></svg>';
  return holder.firstChild;
}

function drawStat(panel, content) {
  const all = lines(panel);
  const calc = panel.options?.reduceOptions?.calcs?.[0] ?? 'lastNotNull';
  const box = element('div', 'stats');
  content.append(box);
  all.forEach(line => {
    const value = reduced(calc, line);
    const shown = element('div', 'value', mapped(panel, value) ?? format(line.unit, value));
    shown.style.color = thresholdColor(panel.fieldConfig.defaults, value);
    const stat = element('div', 'stat');
    if (panel.options?.graphMode === 'area') {
      stat.append(sparkline(line.points));
    }
    if (all.length > 1 || panel.options?.textMode === 'value_and_name') {
      stat.append(element('div', 'name', line.name));
    }
    stat.append(shown);
    box.append(stat);
    shrink(shown, box.clientWidth / all.length);
  });
}

/** Makes a text small enough to fit, as Grafana does. */
function shrink(text, room) {
  for (let size = 34; size > 10 && text.scrollWidth > room; size -= 2) {
    text.style.fontSize = size + 'px';
  }
}

function mapped(panel, value) {
  for (const mapping of panel.fieldConfig.defaults.mappings ?? []) {
    if (mapping.type === 'value' && String(value) in mapping.options) {
      return mapping.options[String(value)].text;
    }
  }
  return null;
}

/** Returns the frames of a table: one for each query, with the labels, the time and the value as fields. */
function frames(panel) {
  const valueName = refId => panel.answers.length > 1 ? 'Value #' + refId : 'Value';
  return panel.answers.map(answer => answer.series.map(series => {
    const [time, value] = series.points[series.points.length - 1];
    return {Time: time, ...series.labels, [valueName(answer.refId)]: value};
  }));
}

const TRANSFORMATIONS = {
  merge: all => [merged(all.filter(rows => rows.length > 0))],
  joinByField: (all, options) => [joined(all, options.byField)],
  convertFieldType: (all, options) => all.map(rows => rows.map(row => converted(row, options.conversions))),
  organize: (all, options) => all.map(rows => rows.map(row => organized(row, options))),
  filterFieldsByName: (all, options) => all.map(rows => rows.map(row => Object.fromEntries(
    Object.entries(row).filter(([name]) => filterKeeps(options.include ?? {}, name))))),
  sortBy: (all, options) => all.map(rows => [...rows].sort((a, b) => options.sort.reduce(
    (order, by) => order || compare(a[by.field], b[by.field]) * (by.desc ? -1 : 1), 0))),
};

/** Returns a row with texts converted to numbers; the dashboards use no other conversion. */
function converted(row, conversions) {
  const copy = {...row};
  conversions.filter(({targetField, destinationType}) => destinationType === 'number' && targetField in row)
    .forEach(({targetField}) => copy[targetField] = Number(row[targetField]));
  return copy;
}

function filterKeeps(include, name) {
  return (include.names ?? []).includes(name) || (include.pattern && new RegExp(include.pattern).test(name));
}

function compare(a, b) {
  return a === b ? 0 : (a ?? -Infinity) < (b ?? -Infinity) ? -1 : 1;
}

/** Merges rows that have equal values in the fields of all frames, and different values in no other field. */
function merged(all) {
  const keys = all.map(rows => Object.keys(rows[0])).reduce((some, more) => some.filter(key => more.includes(key)));
  const byKey = new Map();
  all.flat().forEach(row => {
    const key = JSON.stringify(keys.map(name => row[name]));
    const rows = byKey.get(key) ?? [];
    byKey.set(key, rows);
    const partner = rows.find(other => Object.keys(row).every(name => !(name in other) || other[name] === row[name]));
    partner ? Object.assign(partner, row) : rows.push({...row});
  });
  return [...byKey.values()].flat();
}

function joined(all, field) {
  const byKey = new Map();
  all.flat().forEach(row => byKey.set(row[field], {...row, ...byKey.get(row[field])}));
  return [...byKey.values()];
}

function organized(row, options) {
  const exclude = options.excludeByName ?? {};
  const order = options.indexByName ?? {};
  return Object.fromEntries(Object.entries(row)
    .filter(([name]) => !exclude[name])
    .sort(([a], [b]) => (order[a] ?? 999) - (order[b] ?? 999))
    .map(([name, value]) => [options.renameByName?.[name] || name, value]));
}

function drawTable(panel, content) {
  let all = frames(panel);
  (panel.transformations ?? []).forEach(({id, options}) => {
    if (!(id in TRANSFORMATIONS)) {
      throw new Error('a transformation that the test does not know: ' + id);
    }
    all = TRANSFORMATIONS[id](all, options);
  });
  const rows = sorted(panel, all[0]);
  const fields = [...new Set(rows.flatMap(row => Object.keys(row)))].map(name => fieldOf(panel, name, rows));
  const head = element('tr', '', ...fields.map(field => element('th', field.kind, field.displayName ?? field.name)));
  content.append(element('table', 'data', head, ...rows.map(row => element('tr', '',
    ...fields.map(field => element('td', field.kind, cell(field, row[field.name])))))));
}

function sorted(panel, rows) {
  const by = panel.options?.sortBy?.[0];
  return by ? TRANSFORMATIONS.sortBy([rows], {sort: [{field: by.displayName, desc: by.desc}]})[0] : rows;
}

function fieldOf(panel, name, rows) {
  const field = {name, unit: panel.fieldConfig.defaults.unit, custom: {}, mappings: panel.fieldConfig.defaults.mappings};
  (panel.fieldConfig.overrides ?? []).filter(override => matches(override.matcher, field))
    .forEach(override => override.properties.forEach(property => apply(field, property)));
  field.kind = rows.some(row => typeof row[name] === 'number') ? 'number' : '';
  return field;
}

function cell(field, value) {
  if (typeof value !== 'number') {
    return value ?? '';
  }
  const text = mapped({fieldConfig: {defaults: {mappings: field.mappings}}}, value);
  return text ?? format(field.unit, value);
}

function drawBars(panel, content) {
  const table = element('table', 'data');
  lines(panel).forEach(line => table.append(element('tr', '', element('td', 'item', line.name),
    element('td', 'number', format(line.unit, reduced(panel.options?.reduceOptions?.calcs?.[0] ?? 'lastNotNull', line))))));
  content.append(table);
}

function drawText(panel, content) {
  content.append(element('div', 'text', panel.options?.content ?? ''));
}

const DRAWERS = {timeseries: drawTimeseries, stat: drawStat, gauge: drawStat, table: drawTable, bargauge: drawBars, text: drawText};

function draw(panel, into) {
  const title = element('div', 'title', panel.title);
  title.title = panel.description ?? '';
  const content = element('div', 'content');
  const node = element('section', 'panel', title, content);
  node.dataset.id = panel.id;
  node.dataset.title = panel.title;
  node.dataset.type = panel.type;
  node.dataset.unit = panel.fieldConfig?.defaults?.unit ?? '';
  place(node, panel.gridPos);
  into.append(node);
  if (panel.type !== 'text' && panel.answers.every(answer => answer.series.length === 0)) {
    node.dataset.empty = 'true';
    content.append(element('div', 'nothing', 'No data'));
  } else if (!(panel.type in DRAWERS)) {
    throw new Error('a panel that the test cannot draw: ' + panel.type);
  } else {
    DRAWERS[panel.type](panel, content);
  }
}

function drawAll() {
  document.body.append(element('h1', '', board.title), element('p', 'remark',
    'Drawn by the test renderer of Cistern from the dashboard\'s own queries. Grafana itself was not run.'));
  const into = element('div', 'board');
  document.body.append(into);
  board.panels.forEach(panel => {
    if (panel.type === 'row') {
      const row = element('div', 'row', panel.title);
      place(row, panel.gridPos);
      into.append(row);
    } else {
      draw(panel, into);
    }
  });
  into.style.height = Math.max(...board.panels.map(p => p.gridPos.y + p.gridPos.h)) * (CELL + GAP) + GAP + 'px';
  document.body.dataset.drawn = 'true';
}

/** Returns the faults of the page as drawn; the test calls this. */
function faults() {
  const found = [];
  const boxes = [...document.querySelectorAll('.panel, .row')].map(node => [node, node.getBoundingClientRect()]);
  boxes.forEach(([a, one], i) => boxes.slice(i + 1).forEach(([b, two]) => {
    if (one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom) {
      found.push('overlap: ' + nameOf(a) + ' and ' + nameOf(b));
    }
  }));
  document.querySelectorAll('.title, .stat .value, .stat .name, table.data th').forEach(node => {
    const room = node.classList.contains('value') ? node.parentElement.clientWidth : node.clientWidth;
    if (node.scrollWidth > room + 1) {
      found.push('cut off: ' + nameOf(node) + ': ' + node.textContent);
    }
  });
  document.querySelectorAll('.panel[data-type=timeseries]:not([data-empty])').forEach(panel => {
    const ticks = JSON.parse(panel.dataset.ticks ?? '[]');
    const suffix = SUFFIXES[panel.dataset.unit];
    if (ticks.length < 2 || new Set(ticks).size < ticks.length || suffix && !ticks.every(tick => suffix.test(tick))) {
      found.push('axis: ' + nameOf(panel) + ': ' + panel.dataset.unit + ': ' + ticks);
    }
  });
  return found;
}

/** Returns the parts that Grafana would show only after scrolling inside a panel. */
function hidden() {
  return [...document.querySelectorAll('.legend, .content')]
    .filter(node => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1)
    .map(node => nameOf(node) + ': ' + (node.classList.contains('legend') ? 'legend' : 'content'));
}

function nameOf(node) {
  return node.closest('.panel, .row').dataset.title ?? node.textContent;
}

function emptyPanels() {
  return [...document.querySelectorAll('.panel[data-empty]')].map(panel => panel.dataset.title);
}

window.addEventListener('error', event => document.body.dataset.error = event.message);
drawAll();
