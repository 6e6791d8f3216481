/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Asks for the state every two seconds and draws it. lit-html changes only what differs, so that scroll, focus, open stacks
// and the filter stay as they are.

import {html, nothing, render} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {state} from './api.js';
import {drawCharts} from './charts.js';
import {clock, count, instant, plural} from './format.js';
import {remember} from './history.js';
import {endOf, headView, hostsView, titleOf} from './hosts.js';
import {poolView} from './memory.js';
import {nettyView} from './netty.js';
import {byteFigure, countFigure, fact, nameSeriesOf, series} from './parts.js';
import {leakView, liveView} from './sites.js';

const PERIOD_MILLIS = 2_000;
const MOST_MILLIS = 30_000;

const page = {
  /** The host that the address asks for; empty for any. */
  wanted: new URLSearchParams(location.search).get('host') ?? '',
  filter: '',
  isPaused: false,
  told: null,
  toldAtMillis: 0,
  failures: 0,
  failure: '',
};

let timer = 0;

/** Counts the requests, so that an answer that was overtaken is dropped. */
let turn = 0;

const at = (id) => document.getElementById(id);

async function ask() {
  clearTimeout(timer);
  const mine = ++turn;
  try {
    const told = await state(page.wanted);
    if (mine !== turn) {
      return;
    }
    page.told = told;
    page.toldAtMillis = Date.now();
    page.failures = 0;
    if (told.host) {
      remember(told.host);
    }
  } catch (failure) {
    if (mine !== turn) {
      return;
    }
    page.failures++;
    page.failure = failure.message;
  }
  try {
    draw();
  } finally {
    plan(); // what cannot be drawn now may be in two seconds
  }
}

// A tab that nobody sees asks for nothing; one without an answer asks less and less often.
function plan() {
  clearTimeout(timer);
  if (!page.isPaused && !document.hidden) {
    timer = setTimeout(ask, Math.min(MOST_MILLIS, PERIOD_MILLIS * 2 ** Math.min(page.failures, 4)));
  }
}

function draw() {
  const focused = document.activeElement;
  drawBanner();
  drawPulse();
  if (page.told) {
    document.querySelectorAll('.placeholder').forEach((place) => place.remove());
    drawTold(page.told);
  }
  // A site that is overtaken moves in the document, which takes its focus away.
  if (focused !== document.activeElement && focused?.isConnected) {
    focused.focus({preventScroll: true});
  }
}

function drawTold({time_millis: exporterMillis, hosts, host}) {
  // A host's own figures are as old as its own clock says: those of one that has ended do not age.
  const nowMillis = host?.time_millis ?? exporterMillis;
  if (host) {
    document.title = titleOf(host);
    nameSeriesOf(host);
    render(headView(host, nowMillis), at('who'));
  }
  const view = {host: host?.id ?? '', lives: host?.state === 'up', filter: page.filter, nowMillis, changed: draw};
  render(
    html`${hostsView(hosts, host?.id, exporterMillis, choose)}
      ${host ? copiesView(view, host) : html`<p class="empty">${noHost(hosts)}</p>`}`,
    at('main'),
  );
  drawCharts(host?.id ?? '');
  linkTo(hosts.length > 1 ? host : null);
}

/** Where there are several hosts, pages with stacks want to know which one. */
function linkTo(host) {
  for (const link of document.querySelectorAll('[data-of-host]')) {
    const path = link.getAttribute('href').split('?')[0];
    link.setAttribute('href', host ? `${path}?host=${encodeURIComponent(host.id)}` : path);
  }
}

function noHost(hosts) {
  return hosts.length === 0
    ? 'No host yet: the page looks again every two seconds.'
    : 'That host is not known any more. Choose another.';
}

function copiesView(view, host) {
  return host.copies.length === 0
    ? html`<p class="empty">No pool yet: no copy of Netty has allocated a buffer. The page looks again every two seconds.</p>`
    : html`${repeat(host.copies, (copy) => `${host.id} ${copy.pool}`, (copy) => copyView(view, copy))}
      ${host.copies_not_listed > 0 ? html`<p class="note">and ${host.copies_not_listed} more, not listed</p>` : nothing}`;
}

function copyView(view, copy) {
  return html`<section class="of-copy" aria-label="Pool ${copy.pool}">
    <h2>${copy.pool} <small>${copy.netty_version}</small> <span class="mode">${copy.mode}</span></h2>
    ${copy.reason ? html`<p class="note">${copy.reason}</p>` : nothing}
    ${summaryView(copy)}
    ${copy.pools.length > 0 ? html`<div class="cards">${repeat(copy.pools, (pool) => pool.memory, (pool) =>
      poolView(copy, pool, copy.netty.allocators.length > 0, view.lives))}</div>` : nothing}
    ${nettyView(copy)}
    ${copy.live ? liveView(view, copy) : nothing}
    ${copy.leaks ? leakView(view, copy) : nothing}
  </section>`;
}

/** What somebody wants to know first: is it growing, does it leak, does it serve? */
function summaryView(copy) {
  const isNetty = copy.mode !== 'library';
  const labels = {pool: copy.pool};
  return html`<dl class="summary">
    ${copy.live ? suspectsFact(copy) : nothing} ${copy.leaks ? leaksFact(copy) : nothing}
    ${isNetty ? fact('served by Cistern', countFigure(copy.served, series('cistern_served_allocations_total', labels)), 'allocations') : nothing}
    ${isNetty ? fact('left to Netty', countFigure(copy.fell_back, series('cistern_fallback_allocations_total', labels)), 'allocations') : nothing}
    ${isNetty && copy.failures > 0 ? fact('failures of the bridge', countFigure(copy.failures, series('cistern_bridge_failures_total', labels))) : nothing}
    ${copy.leaks ? fact('sampled buffers in use', countFigure(copy.leaks.watched, series('cistern_leak_trackers', labels))) : nothing}
  </dl>`;
}

function suspectsFact(copy) {
  const suspects = copy.live.totals.reduce((all, total) => all + total.suspects, 0);
  return fact('suspect sites', suspects === 0 ? 'none' : html`<a class="bad" href="#sites-${copy.pool}">${count(suspects)} growing</a>`);
}

function leaksFact(copy) {
  const found = copy.leaks.sites.reduce((all, site) => all + site.found, copy.leaks.dropped);
  const held = copy.leaks.sites.reduce((all, site) => all + site.bytes, copy.leaks.dropped_bytes);
  return found === 0
    ? fact('leaks', 'none found')
    : fact('leaks', html`<a class="bad" href="#leaks-${copy.pool}">${count(found)} found</a>`, byteFigure(held));
}

function drawBanner() {
  const host = page.told?.host;
  const isStale = page.failures > 0;
  at('banner').className = isStale || (host && host.state !== 'up') ? 'shown' : '';
  if (isStale) {
    const since = page.told
      ? `What you see is from ${clock(page.toldAtMillis)}.`
      : 'There is nothing to show yet.';
    render(html`No answer from the exporter (${page.failure}). ${since} The page goes on asking.`, at('banner'));
  } else {
    render(host && host.state !== 'up' ? endOf(host) : nothing, at('banner'));
  }
}

function drawPulse() {
  const seen = page.toldAtMillis ? `as of ${clock(page.toldAtMillis)}` : '';
  const how = page.isPaused ? 'paused' : page.failures > 0 ? `${plural(page.failures, 'failure')} in a row` : 'live';
  render(html`<b class=${page.isPaused || page.failures > 0 ? 'off' : 'on'}></b>${how} ${seen}`, at('pulse'));
  at('pulse').title = page.toldAtMillis ? instant(page.toldAtMillis) : '';
}

function choose(id) {
  history.pushState(null, '', `?host=${encodeURIComponent(id)}`);
  page.wanted = id;
  ask();
}

at('filter').addEventListener('input', (event) => {
  page.filter = event.target.value.trim();
  draw();
});

at('pause').addEventListener('click', () => {
  page.isPaused = !page.isPaused;
  at('pause').setAttribute('aria-pressed', String(page.isPaused));
  at('pause').textContent = page.isPaused ? 'Go on' : 'Pause';
  if (page.isPaused) {
    turn++; // an answer that is on its way is not drawn either
    plan();
    draw();
  } else {
    ask();
  }
});

addEventListener('keydown', (event) => {
  const isTyping = event.target.matches?.('input, textarea, select');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    at('filter').focus();
    at('filter').select();
  } else if (event.key === 'Escape' && event.target === at('filter')) {
    at('filter').value = '';
    page.filter = '';
    draw();
  }
});

addEventListener('popstate', () => {
  page.wanted = new URLSearchParams(location.search).get('host') ?? '';
  ask();
});

document.addEventListener('visibilitychange', () => (document.hidden || page.isPaused ? plan() : ask()));

ask();
