/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The sites that hold memory or have leaked: graph, table, and the difference between two moments.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {live} from './api.js';
import {flameView} from './flame.js';
import {bytes, bytesOrDash, change, clock, count, duration, instant, plural} from './format.js';
import {holdersView} from './holders.js';
import {byteFigure, countFigure, figure} from './parts.js';
import {onToggle, stacksView} from './stacks.js';

/** Number of sites that the table shows until the reader requests all. */
const FIRST = 20;

let isWhole = false;

/** Views of the live buffers. */
const TABS = [
  {id: 'allocated', label: 'Allocated by', content: (view) => html`${graph(view)}${difference(view)}${table(view)}`},
  {id: 'held', label: 'Held by', content: holdersView},
];

let chosen = 'allocated';

/** Content of /live for a process: {host, pools}; pools is null if this client may not see stacks. */
let report = {};

export async function loadStacks(host) {
  const loaded = await live(host);
  report = {host, pools: loaded === null ? null : loaded.pools};
}

export function sitesView(view) {
  return html`<section class="card" id="sites" aria-label="Sites that hold memory">
    <h3>Sites that hold memory</h3>
    <div class="tabs" role="tablist" aria-label="Order of the live buffers">${TABS.map((tab) => tabButton(view, tab))}</div>
    ${TABS.map(({id, content}) => html`<div role="tabpanel" id="panel-${id}" aria-labelledby="tab-${id}" ?hidden=${id !== chosen}>${content(view)}</div>`)}
  </section>`;
}

function tabButton(view, {id, label}) {
  const other = TABS.find((tab) => tab.id !== id);
  const choose = (tab) => {
    chosen = tab.id;
    view.changed();
  };
  const onKey = (event) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      choose(other);
      document.getElementById(`tab-${other.id}`).focus();
    }
  };
  return html`<button type="button" role="tab" id="tab-${id}" aria-controls="panel-${id}" aria-selected=${id === chosen}
    @click=${() => choose({id})} @keydown=${onKey}>${label}</button>`;
}

/** Shows the table of sites, if another tab is open. */
export function showAllocatedBy(view) {
  chosen = 'allocated';
  view.changed();
}

function graph(view) {
  if (report.host !== view.host.host_id) {
    return html`<p class="note">Loading the stacks …</p>`;
  }
  if (report.pools === null) {
    return html`<p class="note refusal">The exporter shows stacks only to clients on the same machine, or to clients with a login if it
      has a web configuration file. From another machine, run: <code>ssh -L 9471:localhost:9471 HOST</code>, then open
      <code>http://localhost:9471/</code>.</p>`;
  }
  const matching = report.pools.flatMap((pool) => pool.sites).filter((site) => matches(view, site.site));
  return flameView(view, matching);
}

const matches = (view, site) => site.toLowerCase().includes(view.filter.toLowerCase());

/** Returns the sites with their live bytes and their leaks in one list: suspects first, then leaks. */
function rows(view) {
  const all = new Map();
  for (const copy of view.host.copies ?? []) {
    const add = (site, more) => {
      const key = `${copy.pool} ${site.memory} ${site.site}`;
      all.set(key, {key, pool: copy.pool, site: site.site, memory: site.memory, ...all.get(key), ...more});
    };
    (copy.live_sites ?? []).forEach((site) => add(site, {live: site}));
    (copy.leak_sites ?? []).forEach((site) => add(site, {leak: site}));
  }
  const rank = (row) => (row.live?.suspect ? 2 : 0) + (row.leak ? 1 : 0);
  return [...all.values()]
    .filter((row) => matches(view, row.site))
    .sort((a, b) => rank(b) - rank(a) || (b.live?.bytes ?? 0) - (a.live?.bytes ?? 0));
}

function table(view) {
  const all = rows(view);
  const shown = isWhole ? all : all.slice(0, FIRST);
  const showAll = () => {
    isWhole = true;
    view.changed();
  };
  const hidden = (view.host.copies ?? []).reduce((more, copy) => more + (copy.live_sites_not_listed ?? 0) + (copy.leak_sites_not_listed ?? 0), 0);
  return html`<h4>By site</h4>
    ${all.length === 0 ? html`<p class="empty">${view.filter ? html`No site contains <q>${view.filter}</q>.` : 'No sampled buffer is in use, and no leak was found.'}</p>` : nothing}
    <div class="sites">${repeat(shown, (row) => row.key, (row) => siteRow(view, row))}</div>
    ${shown.length < all.length ? html`<button type="button" @click=${showAll}>Show all ${all.length} sites</button>` : nothing}
    ${otherLeaks(view).map(({memory, leaks, leaked}) => html`<p class="note">All other sites, ${memory}: ${plural(leaks, 'leaked buffer')} found, about ${byteFigure(leaked, 'leaked_bytes')}.</p>`)}
    ${hidden > 0 ? html`<p class="note">${plural(hidden, 'more site')} not listed.</p>` : nothing}`;
}

/** Returns the leaks of unlisted sites by kind of memory: with the leaks in the list, these are all leaks. */
function otherLeaks(view) {
  const sums = new Map();
  for (const one of (view.host.copies ?? []).flatMap((copy) => copy.other_leaks ?? [])) {
    const sum = sums.get(one.memory) ?? {memory: one.memory, leaks: 0, leaked: 0};
    sums.set(one.memory, {...sum, leaks: sum.leaks + one.leaks, leaked: sum.leaked + one.leaked_bytes});
  }
  return [...sums.values()];
}

function siteRow(view, row) {
  const {live: held, leak} = row;
  const kinds = [held ? 'live' : null, leak ? 'leaks' : null].filter(Boolean);
  return html`<details class="site ${held?.suspect ? 'suspect' : ''} ${leak ? 'leak' : ''}" data-site=${row.site} data-memory=${row.memory}
      @toggle=${(event) => event.target === event.currentTarget && onToggle(event, kinds, view.host.host_id, row.pool, row, view.changed)}>
    <summary>
      <span class="name"><code>${row.site}</code> <small>${row.memory}, ${row.pool}</small>
        ${held?.suspect ? html` <b class="badge" title="suspected since ${held.suspect_since}">suspect</b>` : nothing}
        ${leak ? html` <b class="badge">leak</b>` : nothing}</span>
      <span class="number"><small>live</small> ${held ? figure(held.bytes, bytes(held.bytes), `${count(held.bytes)} ± ${count(held.bytes_error)} bytes in about ${plural(held.buffers, 'buffer')}`, 'live_bytes') : '–'}</span>
      <span class="number"><small>growth in 5 min</small> ${held ? change(held.growth_bytes_5_minutes) : '–'}</span>
      <span class="number"><small>oldest</small> ${held ? duration(view.nowMillis - Date.parse(held.oldest)) : '–'}</span>
      <span class="number"><small>leaked</small> ${leak ? byteFigure(leak.leaked_bytes, 'leaked_bytes') : '–'}</span>
    </summary>
    <div class="open">
      ${held ? html`<p class="note">${Object.entries(held.bytes_by_age).map(([age, part]) => html`${age.replace('_', ' ')}: ${byteFigure(part)} `)}
        ${held.lost_bytes > 0 ? html`; ${byteFigure(held.lost_bytes)} of it was garbage collected and never released` : nothing}</p>` : nothing}
      ${leak ? html`<p class="note">${countFigure(leak.leaks, 'leaks')} leaked ${leak.leaks === 1 ? 'buffer' : 'buffers'} found, first ${instant(leak.first_seen_millis)}, last ${instant(leak.last_seen_millis)}.</p>` : nothing}
      ${held ? stacksView('live', view.host.host_id, row.pool, row, view.changed) : nothing}
      ${leak ? stacksView('leaks', view.host.host_id, row.pool, row, view.changed) : nothing}
    </div>
  </details>`;
}

/** Shows the sites that grew between two moments of the last hour. */
function difference(view) {
  const {history, moments} = view;
  if (!history || history.times_millis.length < 2) {
    return nothing;
  }
  const times = history.times_millis;
  const [from, to] = moments.map((moment, index) => nearest(times, moment ?? times[index === 0 ? 0 : times.length - 1]));
  const choose = (index) => (event) => view.setMoment(index, times[event.target.valueAsNumber]);
  const changes = history.sites
    .map((site) => ({site: site.site, from: site.values[from], to: site.values[to]}))
    .map((row) => ({...row, by: row.from === null || row.to === null ? null : row.to - row.from}))
    .filter((row) => matches(view, row.site) && (row.from > 0 || row.to > 0))
    .sort((a, b) => Math.abs(b.by ?? 0) - Math.abs(a.by ?? 0));
  const slider = (index, at, label) => html`<label>${label} <output>${clock(times[at])} UTC</output>
    <input type="range" min="0" max=${times.length - 1} .value=${String(at)} @input=${choose(index)} aria-valuetext="${clock(times[at])} UTC"></label>`;
  return html`<details class="plain" ?open=${moments.some((moment) => moment !== null)}>
    <summary>Difference between two moments</summary>
    <p class="moments">${slider(0, from, 'From')} ${slider(1, to, 'To')}</p>
    <p class="note">Click the chart to choose the two moments in turn. The history has the eight largest sites of each moment; the bytes of other sites are unknown.</p>
    <div class="scroll"><table>
      <thead><tr><th scope="col">site</th><th scope="col">from</th><th scope="col">to</th><th scope="col">change</th></tr></thead>
      <tbody>${changes.map((row) => html`<tr><th scope="row"><code>${row.site}</code></th><td>${bytesOrDash(row.from)}</td><td>${bytesOrDash(row.to)}</td>
        <td class=${row.by > 0 ? 'up' : 'down'}>${row.by === null ? '–' : change(row.by)}</td></tr>`)}</tbody>
    </table></div>
  </details>`;
}

function nearest(times, moment) {
  let best = 0;
  times.forEach((time, index) => {
    best = Math.abs(time - moment) < Math.abs(times[best] - moment) ? index : best;
  });
  return best;
}
