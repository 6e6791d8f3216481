/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// All processes of a sidecar, grouped by application, highest risk first, with a search.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {bytes, duration, plural} from './format.js';
import {bar} from './parts.js';

const LEVELS = ['fine', 'notice', 'warning', 'critical'];

/** Returns the risk of a process: the level of its verdict plus the used part of its limit, which is below 1. */
export function risk(host) {
  const part = host.limit_bytes > 0 ? host.limit_used_bytes / host.limit_bytes : 0;
  return LEVELS.indexOf(host.verdict.level) + Math.min(0.99, part);
}

const isShown = (host, filter) =>
  [host.application, host.pod, host.container, host.host_id, host.verdict.what].some((text) => text.toLowerCase().includes(filter.toLowerCase()));

export function fleetView(view) {
  const shown = view.hosts.filter((host) => isShown(host, view.filter)).sort((a, b) => risk(b) - risk(a));
  const groups = new Map();
  shown.forEach((host) => groups.set(host.application, [...(groups.get(host.application) ?? []), host]));
  return html`<section class="fleet" aria-label="Processes">
    <p class="note">${plural(view.hosts.length, 'process', 'processes')}, ${shown.length} shown, highest risk first.
      ${view.pair ? html`Choose the process to compare with.` : nothing}</p>
    ${[...groups].map(([application, hosts]) => html`<section class="card"><h3>${application || 'no application name'} <small>${hosts.length}</small></h3>
      <div class="scroll"><table class="hosts"><thead><tr><th scope="col">process</th><th scope="col">state</th><th scope="col" class="what">verdict</th><th scope="col" class="wide">direct memory use</th><th scope="col">last report</th></tr></thead>
      <tbody>${repeat(hosts, (host) => host.host_id, (host) => row(view, host))}</tbody></table></div></section>`)}
  </section>`;
}

function row(view, host) {
  const name = host.pod || host.container || `process ${host.pid}`;
  const target = view.pair ? `#host=${view.pair}&with=${host.host_id}` : `#host=${host.host_id}`;
  const label = host.limit_bytes > 0 ? `${bytes(host.limit_used_bytes)} of ${bytes(host.limit_bytes)}` : `${bytes(host.reserved_bytes)} reserved`;
  return html`<tr class=${host.verdict.level}>
    <th scope="row"><a href=${target}>${name}</a> <small>${host.host_id}</small></th>
    <td class="state ${host.state}">${host.state}</td>
    <td class="what">${host.verdict.what}</td>
    <td class="wide">${bar([{kind: 'pinned', value: host.pinned_bytes}, {kind: 'others', value: Math.max(0, (host.limit_used_bytes ?? host.reserved_bytes) - host.pinned_bytes)}], host.limit_bytes || host.reserved_bytes, label)}<small>${label}</small></td>
    <td>${duration(view.nowMillis - 1000 * host.report_timestamp_seconds)} ago</td>
  </tr>`;
}
