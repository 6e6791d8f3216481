/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The findings on a process, at the top of the page: the first in full, the rest folded.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {about, bytes, duration, instant} from './format.js';
import {byteFigure} from './parts.js';
import {showAllocatedBy} from './sites.js';

const LIMITS = {direct: 'The direct memory of the JVM', container: 'The memory of the container'};

/** Time until memory runs out below which the level is critical. */
const CRITICAL_SECONDS = 600;

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Opens a site in the table and scrolls to it. */
function showSite(view, site) {
  showAllocatedBy(view);
  const row = [...document.querySelectorAll('details.site')].find((one) => one.dataset.site === site);
  (row ?? document.getElementById('sites')).scrollIntoView({block: 'start'});
  if (row) {
    row.open = true;
    row.querySelector('summary').focus({preventScroll: true});
  }
}

/** Returns a button that shows a site in the table; nothing in a comparison, which has no table of sites. */
export function siteButton(view, site, text = 'Show this site') {
  return site && view.isAlone ? html`<button type="button" @click=${() => showSite(view, site)}>${text}</button>` : nothing;
}

export function verdictView(view) {
  const {host} = view;
  const [first, ...more] = host.findings_ranked ?? [];
  const shown = first ?? host.verdict;
  return html`<section class="verdict ${shown.level}" aria-label="Verdict">
      <h2>${shown.what}</h2>
      ${reasons(view, shown, first ? `${first.level[0].toUpperCase()}${first.level.slice(1)}, ${first.confidence} confidence` : shown.sure)}
      ${host.state === 'up' ? (host.limits ?? []).filter((one) => one.memory_exhaustion_seconds !== undefined).map(exhaustion) : nothing}
      ${host.diagnosis_incomplete ? html`<p class="note">The diagnosis is incomplete: ${sentence(host.diagnosis_incomplete)}</p>` : nothing}
    </section>
    ${more.length === 0 ? nothing : html`<section class="findings" aria-label="Further findings"><ul>
      ${repeat(keyed(more), ({key}) => key, ({one}) => further(view, one))}</ul></section>`}`;
}

/** Returns the findings with stable keys, so that an open finding stays open when the order changes. */
function keyed(findings) {
  const seen = new Map();
  return findings.map((one) => {
    const name = `${one.kind} ${one.site ?? ''}`;
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return {one, key: `${name} ${seen.get(name)}`};
  });
}

/** @param sure text of level and confidence; empty if the page shows it elsewhere */
function reasons(view, one, sure = '') {
  const since = one.since_millis;
  return html`${sure || since > 0 ? html`<p>${sure}${since > 0 ? html`${sure ? ', since' : 'Since'} <time title=${instant(since)}>${duration(view.nowMillis - since)}</time>` : nothing}.</p>` : nothing}
    ${one.evidence?.length > 0 ? html`<ul class="evidence">${one.evidence.map((text) => html`<li>${sentence(text)} </li>`)}</ul>` : nothing}
    ${one.next ? html`<p><b>Next:</b> ${sentence(one.next)} ${siteButton(view, one.site)}</p>` : nothing}`;
}

function further(view, one) {
  return html`<li><details data-kind=${one.kind}>
    <summary><b class="level ${one.level}">${one.level}</b> ${one.what}
      <small>${one.confidence} confidence${one.memory_bytes > 0 ? html`, ${byteFigure(one.memory_bytes)}` : nothing}</small></summary>
    ${reasons(view, one)}
  </details></li>`;
}

function exhaustion(one) {
  const of = (end) => one[`memory_exhaustion_${end}`];
  const level = of('seconds') < CRITICAL_SECONDS ? 'critical' : 'warning';
  return html`<p class="exhaustion"><b class="level ${level}">${level}</b> ${LIMITS[one.limit] ?? `The direct memory of ${one.limit}`} is full in about ${about(of('seconds'))}${between(of('earliest_seconds'), of('latest_seconds'))} at the present rate.
    <small>${bytes(one.memory_limit_used_bytes)} of ${bytes(one.memory_limit_bytes)} are used.</small></p>`;
}

/** Returns the range of an estimate as text; the range can have no upper end. */
function between(earliest, latest) {
  if (earliest === undefined || latest === undefined) {
    return earliest === undefined ? '' : ` (${about(earliest)} or later)`;
  }
  const [[low, unit], [high, same]] = [about(earliest).split(' '), about(latest).split(' ')];
  return ` (${low}${unit === same ? '' : ` ${unit}`} to ${high} ${same})`;
}
