/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The sites that hold memory, and those that leaked.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {bytes, change, count, duration, instant, plural} from './format.js';
import {byteFigure, countFigure, figure, rect, series} from './parts.js';
import {onToggle, stacksView} from './stacks.js';

const AGES = ['under 10 s', 'under 1 min', 'under 10 min', 'older'];

/** Sites that are drawn before somebody asks for all. */
const FIRST = 40;

/** Lists that somebody wants to see whole. */
const whole = new Set();

/** @param view what the page shows: {host, filter, nowMillis, changed} */
export function liveView(view, copy) {
  const {live} = copy;
  const sites = live.sites.filter((site) => matches(view, site));
  return html`<section class="card" id="sites-${copy.pool}" aria-label="Sites that hold memory of ${copy.pool}">
    <h3>Sites that hold memory <small>${live.totals.map((total, index) => html`${index > 0 ? ' · ' : nothing}${totalView(copy, total)}`)}</small></h3>
    ${live.sites.length === 0 ? html`<p class="empty">Nothing that was sampled is in use.</p>` : nothing}
    ${none(live, sites, view)}
    ${list(view, copy, 'live', sites, (site) => liveRow(view, copy, site))}
    ${rest(live.sites_not_listed)}
    ${sites.length > 0 ? html`<p class="note">${AGES.map((age, index) => html`<span class="key"><i class="swatch age${index}"></i>${age}</span> `)}</p>` : nothing}
    ${live.sample_interval_bytes > 0 ? html`<p class="note">Estimated from one sample in ${bytes(live.sample_interval_bytes)} on average;
      suspects, whose old bytes grow more than chance explains, come first.</p>` : nothing}
  </section>`;
}

function totalView(copy, total) {
  return html`${total.memory} ${figure(total.bytes, bytes(total.bytes), `${count(total.bytes)} bytes, estimated`)}
    ± ${byteFigure(total.bytes_error, series('cistern_live_error_bytes', {pool: copy.pool, memory: total.memory}))}`;
}

export function leakView(view, copy) {
  const {leaks} = copy;
  const sites = leaks.sites.filter((site) => matches(view, site));
  return html`<section class="card" id="leaks-${copy.pool}" aria-label="Leaks of ${copy.pool}">
    <h3>Leaks <small>level ${leaks.level || 'unknown'}, ${plural(leaks.watched, 'sampled buffer')} watched</small></h3>
    ${leaks.sites.length === 0 && leaks.dropped === 0
      ? html`<p class="empty">No leak found. A leak is seen when the garbage collector has taken the buffer, not before.</p>`
      : nothing}
    ${none(leaks, sites, view)}
    ${list(view, copy, 'leaks', sites, (site) => leakRow(view, copy, site))}
    ${rest(leaks.sites_not_listed)}
    ${leaks.dropped > 0 ? html`<p class="note">${plural(leaks.dropped, 'leak')} with about ${bytes(leaks.dropped_bytes)} from stacks that found no place in the store.</p>` : nothing}
  </section>`;
}

function matches(view, site) {
  return site.site.toLowerCase().includes(view.filter.toLowerCase());
}

function none(all, sites, view) {
  return all.sites.length > 0 && sites.length === 0
    ? html`<p class="empty">No site here contains <q>${view.filter}</q>.</p>`
    : nothing;
}

function rest(notListed) {
  return notListed > 0 ? html`<p class="note">${plural(notListed, 'more site')} not listed.</p>` : nothing;
}

function list(view, copy, kind, sites, row) {
  const name = `${kind} ${copy.pool}`;
  const shown = whole.has(name) ? sites : sites.slice(0, FIRST);
  const showAll = () => {
    whole.add(name);
    view.changed();
  };
  // By key, so that an open site stays open, and keeps its focus, when others overtake it.
  return html`<div class="sites ${kind}">${repeat(shown, (site) => `${site.memory} ${site.site}`, row)}</div>
    ${shown.length < sites.length ? html`<button type="button" @click=${showAll}>Show all ${sites.length} sites</button>` : nothing}`;
}

function liveRow(view, copy, site) {
  const isSuspect = site.suspect_since_millis !== 0;
  return html`<details class="site ${isSuspect ? 'suspect' : ''}" data-site=${site.site} data-memory=${site.memory}
      @toggle=${(event) => isOwn(event) && onToggle(event, 'live', view.host, copy.pool, site, view.changed)}>
    <summary>
      <span class="name"><code>${site.site}</code> <small>${site.memory}</small>
        ${isSuspect ? html`<b class="badge" title="suspected since ${instant(site.suspect_since_millis)}">suspect</b>` : nothing}</span>
      <span class="number"><small>live</small> ${figure(site.bytes, bytes(site.bytes), `${count(site.bytes)} ± ${count(site.bytes_error)} bytes in about ${plural(site.buffers, 'buffer')}`)}</span>
      <span class="number"><small>oldest</small> ${duration(view.nowMillis - site.oldest_millis)}</span>
      <span class="number trend"><small>growth in 1 and 5 min</small> ${growth(site.growth_bytes_1_minute)} / ${growth(site.growth_bytes_5_minutes)}</span>
      ${ageBar(site)}
    </summary>
    <div class="open">
      <p class="note">${site.bytes_by_age.map((held, index) => html`<span class="key"><i class="swatch age${index}"></i>${AGES[index]}: ${byteFigure(held)}</span> `)}
        ${site.lost_bytes > 0 ? html`; ${byteFigure(site.lost_bytes)} of it lost: garbage collected, never released` : nothing}</p>
      ${stacksView('live', view.host, copy.pool, site, view.changed)}
    </div>
  </details>`;
}

function growth(value) {
  const way = value > 0 ? 'up' : value < 0 ? 'down' : 'even';
  return html`<data class=${way} value=${value} title="${count(value)} bytes">${change(value)}</data>`;
}

/** A toggle of a part inside reaches its ancestors in no browser, but lit-html listens here only. */
function isOwn(event) {
  return event.target === event.currentTarget;
}

function ageBar(site) {
  const whole = Math.max(1, site.bytes);
  let start = 0;
  const parts = site.bytes_by_age.map((held, index) => {
    const x = start;
    start += held;
    return rect(`age${index}`, `${(100 * x) / whole}%`, `${(100 * held) / whole}%`);
  });
  const told = site.bytes_by_age.map((held, index) => `${AGES[index]} ${bytes(held)}`).join(', ');
  return html`<svg class="bar ages" role="img" aria-label=${told}><title>${told}</title>${parts}</svg>`;
}

function leakRow(view, copy, site) {
  return html`<details class="site leak" data-site=${site.site} data-memory=${site.memory}
      @toggle=${(event) => isOwn(event) && onToggle(event, 'leaks', view.host, copy.pool, site, view.changed)}>
    <summary>
      <span class="name"><code>${site.site}</code> <small>${site.memory}</small></span>
      <span class="number"><small>found</small> ${countFigure(site.found)}</span>
      <span class="number"><small>about</small> ${byteFigure(site.bytes)}</span>
      <span class="number"><small>last</small> <span title="first ${instant(site.first_seen_millis)}, last ${instant(site.last_seen_millis)}">${duration(view.nowMillis - site.last_seen_millis)} ago</span></span>
    </summary>
    <div class="open">
      <p class="note">First seen ${instant(site.first_seen_millis)}, last ${instant(site.last_seen_millis)}; about ${plural(site.buffers, 'buffer')}.</p>
      ${stacksView('leaks', view.host, copy.pool, site, view.changed)}
    </div>
  </details>`;
}
