/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The resident memory of the process, by the part of the process that uses it.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {bytes, duration, instant, percent} from './format.js';
import {bar, byteFigure, fact, legend, table} from './parts.js';
import {siteButton} from './verdict.js';

const LABELS = {
  java_heap: 'Java heap',
  metaspace: 'Metaspace',
  code: 'Compiled code',
  jvm: 'Garbage collector and other JVM parts',
  thread_stacks: 'Thread stacks',
  pool_pinned: 'Pool: in use',
  pool_cached: 'Pool: in thread caches',
  pool_free: 'Pool: free',
  netty_pools: 'Netty’s own pools',
  netty_unpooled: 'Netty’s unpooled buffers',
  jdk_direct: 'Other direct buffers',
  mapped_files: 'Mapped files',
  native: 'Native allocations and memory kept by malloc',
  rest: 'Not explained',
};

const SPANS = {hour: 'last hour', start: 'since the start'};

/** Returns the resident memory by part; nothing for a process with an older stats file, which lacks these values. */
export function waterfallView(view) {
  const parts = partsOf(view.host);
  const more = moreView(view);
  return parts.length === 0 && more === nothing ? nothing : html`<section class="card process" id="waterfall-${view.host.host_id}" aria-label="Resident memory by part">
    <h3>Resident memory by part <small>${measured(view)}</small></h3>
    ${parts.length === 0 ? html`<p class="note">The parts of this process are not measured.</p>` : partsView(view, parts)}
    ${more}
  </section>`;
}

/** Returns the parts that have memory, each with the sum of the parts before it; the unexplained rest is last. */
function partsOf({memory_parts: all = []}) {
  const rest = ({part}) => part === 'rest';
  let start = 0;
  return [...all.filter((one) => !rest(one)), ...all.filter(rest)]
    .map(({part, process_memory_bytes: value}) => ({part, value, kind: `part ${part}`, label: LABELS[part] ?? part}))
    .filter(({value}) => value) // neither 0 nor unknown
    .map((one) => {
      const before = start;
      start += Math.max(0, one.value);
      return {...one, before, title: `${one.label}: ${bytes(one.value)}`};
    });
}

function measured({host, nowMillis}) {
  const at = 1000 * host.memory_measured_timestamp_seconds;
  return html`${host.process_resident_bytes > 0 ? html`${byteFigure(host.process_resident_bytes, 'process_resident_bytes')} resident` : nothing}${at > 0
    ? html`, measured <time title=${instant(at)}>${host.state === 'up' ? `${duration(nowMillis - at)} ago` : instant(at)}</time>` : nothing}${host.memory_basis
    ? html`, from ${host.memory_basis}` : nothing}`;
}

function partsView(view, parts) {
  const {host} = view;
  const held = parts.filter(({value}) => value > 0);
  const whole = host.process_resident_bytes || held.reduce((all, {value}) => all + value, 0);
  const scale = Math.max(whole, ...held.map(({before, value}) => before + value));
  const label = `Resident memory by part: ${held.map((one) => `${one.label} ${percent(one.value, whole)}`).join(', ')}`;
  return html`${bar(held, scale, label)}
    <div class="waterfall">
      <table><thead><tr><th scope="col">part</th><th scope="col">memory</th><th scope="col">of all</th><td class="wide" aria-hidden="true"></td></tr></thead>
        <tbody>${parts.map((one) => html`<tr><th scope="row">${legend(one.kind, one.label)}</th>
          <td>${one.value < 0 ? html`<span title="${one.value} bytes">${bytes(one.value)}</span>` : byteFigure(one.value, 'process_memory_bytes')}</td>
          <td>${one.value < 0 ? '–' : percent(one.value, whole)}</td>
          <td class="wide" aria-hidden="true">${bar([{kind: 'gap', value: one.before}, {...one, value: Math.max(0, one.value)}], scale, one.title)}</td></tr>`)}</tbody></table>
      <dl>${(host.limits ?? []).map(limit)}</dl>
    </div>
    ${parts.at(-1).value < 0 ? html`<p class="note">The parts together exceed the resident memory, because they are measured one after the other.</p>` : nothing}`;
}

const LIMITS = {container: 'container', direct: 'direct buffers of the JVM'};

function limit({limit: name, memory_limit_bytes: most, memory_limit_used_bytes: used}) {
  const term = LIMITS[name] ?? `direct memory, ${name}`;
  const part = percent(used, most);
  return most > 0 ? fact(`limit: ${term}`, html`${byteFigure(used, 'memory_limit_used_bytes')} of ${byteFigure(most, 'memory_limit_bytes')} <small>${part}</small>
    ${bar([{kind: 'pinned', value: used}], most, `${part} of the limit: ${term}`)}`) : nothing;
}

function moreView(view) {
  const {host} = view;
  const idle = (host.needs ?? []).filter((one) => one.idle_debt_bytes > 0);
  const largest = host.largest_allocations ?? [];
  const limits = ['direct', 'container'].map((kind) => ({kind, key: `recommended_${kind}_limit_bytes`})).filter(({key}) => host[key] > 0);
  const names = [idle.length > 0 && 'idle memory', largest.length > 0 && 'largest allocations', limits.length > 0 && 'recommended limits'].filter(Boolean).join(', ');
  return names === '' ? nothing : html`<details class="plain"><summary>${names[0].toUpperCase()}${names.slice(1)}</summary>
    ${idle.length === 0 ? nothing : html`<h4>Idle memory <small>held by an allocator, but not needed</small></h4>
      ${table(['allocator', 'idle', 'resident', 'for'], idle.map((one) => [html`${one.allocator} <small>${one.memory}, ${one.pool}</small>`,
        byteFigure(one.idle_debt_bytes, 'idle_debt_bytes'), byteFigure(one.idle_debt_resident_bytes, 'idle_debt_resident_bytes'), duration(1000 * (one.idle_debt_age_seconds ?? 0))]))}`}
    ${largest.length === 0 ? nothing : html`<h4>Largest allocations</h4>
      ${table(['site', 'span', 'size', 'time'], largest.map((one) => [html`<code>${one.site || 'unknown'}</code> <small>${one.memory}, ${one.pool}</small> ${siteButton(view, one.site, 'Show site')}`,
        SPANS[one.span] ?? one.span, byteFigure(one.largest_allocation_bytes, 'largest_allocation_bytes'), instant(1000 * one.largest_allocation_timestamp_seconds)]))}`}
    ${limits.length === 0 ? nothing : html`<h4>Recommended limits <small>from the use so far</small></h4>
      <dl>${limits.map(({kind, key}) => fact(kind === 'direct' ? 'direct memory' : kind, byteFigure(host[key], key)))}</dl>`}
  </details>`;
}
