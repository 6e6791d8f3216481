/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The page: loads the state from the exporter, and draws it again after each change.

import './theme.js';
import {html, nothing, render} from './lib/lit-html/lit-html.js';
import {actionsView} from './actions.js';
import {history, state} from './api.js';
import {detailsView} from './details.js';
import {fleetView} from './fleet.js';
import {clock, duration, instant} from './format.js';
import {drawCharts, memoryView} from './memory.js';
import {loadCatalogue} from './parts.js';
import {loadStacks, sitesView} from './sites.js';
import {verdictView} from './verdict.js';
import {waterfallView} from './waterfall.js';

const STATE_MILLIS = 2_000;
const HISTORY_MILLIS = 10_000;
const STACKS_MILLIS = 30_000;

/** Maximum time from the start of a process to its first report for which the chart still marks the start. */
const FIRST_REPORT_MILLIS = 60_000;

const page = {
  data: null, histories: new Map(), compared: new Map(), filter: '', isPaused: false, failure: '',
  moments: [null, null], nextMoment: 0, historyAt: 0, stacksAt: 0,
};

const chosen = () => new URLSearchParams(location.hash.slice(1));

const isFleet = () => page.data.hosts.length !== 1 && !chosen().has('host');

async function load() {
  const id = chosen().get('host') ?? '';
  const data = await state(id);
  if (data === null) {
    throw new Error('this client may not see the page');
  }
  if (id !== (chosen().get('host') ?? '')) {
    return; // another process was chosen meanwhile
  }
  page.data = data;
  const other = chosen().get('with');
  page.compared.clear();
  if (other) {
    page.compared.set(other, (await state(other)).host);
  }
  const now = Date.now();
  if (!isFleet() && data.host) {
    if (now - page.historyAt >= HISTORY_MILLIS) {
      page.historyAt = now;
      for (const host of [data.host.host_id, ...page.compared.keys()]) {
        page.histories.set(host, await history(host));
      }
    }
    if (now - page.stacksAt >= STACKS_MILLIS) {
      page.stacksAt = now;
      loadStacks(data.host.host_id).then(draw, () => {});
    }
  }
  page.failure = '';
}

async function refresh() {
  try {
    await load();
  } catch (failure) {
    page.failure = `Cannot load new data: ${failure.message}. The page shows ${page.data ? `data from ${clock(page.data.time_millis)} UTC` : 'no data yet'}.`;
  }
  draw();
}

async function tick() {
  try {
    if (!page.isPaused && !document.hidden) {
      await refresh();
    }
  } finally {
    setTimeout(tick, STATE_MILLIS);
  }
}

function viewOf(host) {
  const times = page.histories.get(host.host_id)?.times_millis ?? [];
  const set = (index, time) => {
    page.moments[index] = time;
    page.nextMoment = 1 - index;
    draw();
  };
  return {
    host, hosts: page.data.hosts, actions: page.data.actions ?? [], filter: page.filter, nowMillis: page.data.time_millis,
    history: page.histories.get(host.host_id), moments: page.moments, changed: draw, setMoment: set, isAlone: page.compared.size === 0,
    chooseMoment: (time) => set(page.nextMoment, time),
    marks: marks(host, times),
  };
}

function marks(host, times) {
  const changes = (host.copies ?? [])
    .filter((copy) => copy.mode_change_timestamp_seconds !== undefined)
    .map((copy) => ({time: 1000 * copy.mode_change_timestamp_seconds, label: copy.mode, kind: 'mark'}));
  const moments = page.moments.map((time, index) => ({time: time ?? NaN, label: index === 0 ? 'from' : 'to', kind: 'link'}));
  return [{time: 1000 * host.start_time_seconds, label: 'start', kind: 'mark'}, ...changes, ...moments]
    .filter(({time}) => times.length > 0 && time >= times[0] - FIRST_REPORT_MILLIS)
    .map((mark) => ({...mark, time: Math.max(times[0], mark.time)}));
}

function draw() {
  const main = document.getElementById('main');
  main.ariaBusy = String(!page.data && !page.failure);
  if (!page.data) {
    render(html`<p class="empty">${page.failure || 'Loading …'}</p>`, main);
    return;
  }
  const {data} = page;
  const isOfAll = isFleet();
  render(head(isOfAll), document.getElementById('who'));
  render(page.failure ? html`<p class="shown">${page.failure}</p>` : nothing, document.getElementById('banner'));
  render(isOfAll ? fleetView({hosts: data.hosts, filter: page.filter, nowMillis: data.time_millis, pair: chosen().get('pair')}) : body(), main);
  render(html`<b class=${page.isPaused || page.failure ? 'off' : ''}></b>${clock(data.time_millis)} UTC`, document.getElementById('pulse'));
  if (!isOfAll && data.host) {
    const shown = [data.host, ...page.compared.values()].filter(Boolean);
    drawCharts(new Map(shown.map((host) => [host.host_id, viewOf(host)])));
  }
}

function head(isOfAll) {
  const {host, hosts} = page.data;
  if (isOfAll || !host) {
    return html`<h1>Cistern</h1>`;
  }
  return html`<h1>${host.application || 'Process'} <small>${[host.pod, host.container, `process ${host.pid}`].filter(Boolean).join(', ')}</small></h1>
    <p>Cistern ${host.version}, ${host.state === 'up' ? html`<span class="state up">up</span> for` : html`<span class="state ${host.state}">${host.state}</span>
      ${duration(page.data.time_millis - 1000 * host.host_heartbeat_timestamp_seconds)} ago, after`}
      <time title=${instant(1000 * host.start_time_seconds)}>${duration(1000 * ((host.state === 'up' ? page.data.time_millis / 1000 : host.host_heartbeat_timestamp_seconds) - host.start_time_seconds))}</time>
      ${hosts.length > 1 ? html`· <a href="#">all ${hosts.length} processes</a>` : nothing}</p>`;
}

function body() {
  const {host} = page.data;
  if (!host) {
    return html`<p class="empty">${page.data.hosts.length === 0 ? 'No process has reported yet.' : 'There is no such process.'} <a href="#">All processes</a></p>`;
  }
  const compared = [...page.compared.values()].filter(Boolean);
  if (compared.length > 0) {
    return html`<div class="pair">${[host, ...compared].map((one) => html`<div>
      <h2>${one.application} <small>${one.pod || one.host_id}</small></h2>${verdictView(viewOf(one))}${waterfallView(viewOf(one))}${memoryView(viewOf(one))}</div>`)}</div>`;
  }
  const view = viewOf(host);
  return html`${verdictView(view)}${actionsView(view)}${waterfallView(view)}<div class="cards">${memoryView(view)}</div>${sitesView(view)}${detailsView(view)}`;
}

function start() {
  document.getElementById('who').replaceChildren();
  const filter = document.getElementById('filter');
  filter.addEventListener('input', () => {
    page.filter = filter.value;
    draw();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(input|textarea|select)$/i.test(event.target.tagName)) {
      event.preventDefault();
      filter.focus();
    } else if (event.key === 'Escape' && event.target === filter) {
      filter.value = page.filter = '';
      draw();
    }
  });
  const pause = document.getElementById('pause');
  pause.addEventListener('click', () => {
    page.isPaused = !page.isPaused;
    pause.setAttribute('aria-pressed', String(page.isPaused));
    draw();
  });
  document.addEventListener('theme', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  addEventListener('hashchange', () => {
    page.historyAt = page.stacksAt = 0;
    page.moments = [null, null];
    refresh();
  });
  loadCatalogue().then(draw, () => {});
  tick();
}

document.addEventListener('DOMContentLoaded', start);
