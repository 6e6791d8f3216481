/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// The hosts that a sidecar knows, and who the one is that is shown.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {repeat} from './lib/lit-html/directives/repeat.js';
import {count, duration, instant} from './format.js';
import {byteFigure} from './parts.js';

function nameOf(host) {
  return host.application || host.pod || host.container || `process ${host.pid}`;
}

export function headView(host, nowMillis) {
  const facts = [
    host.pod && `pod ${host.pod}`,
    host.container && `container ${host.container}`,
    host.pid > 0 && `process ${host.pid}`,
    `Cistern ${host.version}`,
  ].filter(Boolean);
  return html`<h1>${host.application ? html`Cistern <span>${host.application}</span>` : 'Cistern'}</h1>
    <p>${facts.join(' · ')} · <span title="since ${instant(host.start_millis)}">up
      ${duration(nowMillis - host.start_millis)}</span></p>`;
}

export function titleOf(host) {
  return host.application ? `Cistern: ${host.application}` : 'Cistern';
}

/** A list where there is more than one. @param choose called with the id of the one that is wanted */
export function hostsView(hosts, shown, nowMillis, choose) {
  if (hosts.length < 2) {
    return nothing;
  }
  const pick = (event, host) => {
    if (event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey) {
      event.preventDefault();
      choose(host.id);
    }
  };
  return html`<section class="card" aria-label="Hosts"><h2>Hosts <small>${count(hosts.filter((host) => host.state === 'up').length)} of ${count(hosts.length)} up</small></h2>
    <table class="hosts">
      <thead><tr><th scope="col">host</th><th scope="col">state</th><th scope="col">seen</th><th scope="col">reserved</th><th scope="col">pinned</th><th scope="col">suspects</th><th scope="col">leaks</th></tr></thead>
      <tbody>${repeat(hosts, (host) => host.id, (host) => html`<tr class=${host.id === shown ? 'shown' : ''}>
        <th scope="row"><a href="?host=${encodeURIComponent(host.id)}" aria-current=${host.id === shown ? 'true' : 'false'} @click=${(event) => pick(event, host)}>${nameOf(host)}</a>
          <small>${[host.pod, host.container, host.pid > 0 ? `process ${host.pid}` : ''].filter((fact) => fact && fact !== nameOf(host)).join(' · ')}</small></th>
        <td><b class="state ${host.state}">${host.state}</b>${host.state === 'up' ? nothing : html` <a href="postmortem/${encodeURIComponent(host.id)}/">post-mortem</a>`}</td>
        <td title=${instant(host.heartbeat_millis)}>${duration(nowMillis - host.heartbeat_millis)} ago</td>
        <td>${byteFigure(host.reserved_bytes)}</td><td>${byteFigure(host.pinned_bytes)}</td>
        <td class=${host.suspects > 0 ? 'bad' : ''}>${count(host.suspects)}</td>
        <td class=${host.leaks > 0 ? 'bad' : ''}>${count(host.leaks)}</td>
      </tr>`)}</tbody>
    </table></section>`;
}

/** What to say above the figures of a host that has ended. */
export function endOf(host) {
  const how = host.state === 'died' ? 'died without a word' : 'shut down';
  return html`This host ${how}; it was last seen at ${instant(host.heartbeat_millis)}. What
    you see is its last state; more is kept in its <a href="postmortem/${encodeURIComponent(host.id)}/">post-mortem</a>.`;
}
