/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Actions on a process, each with a confirmation.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {act} from './api.js';

const ACTIONS = {
  dump: {name: 'Write a dump', what: 'Writes leaks, live buffers and metrics to the dump directory of the process.', address: () => 'debug/dump'},
  gc: {name: 'Request a GC', what: 'Requests a full garbage collection, which can pause the process for seconds. The collection also finds leaked buffers.', address: () => 'debug/gc'},
  trim: {name: 'Trim the native heap', what: 'Makes the C library return free memory to the operating system. The result separates memory that malloc keeps from memory in use.', address: () => 'debug/trim'},
};

const MODES = ['swap', 'observe', 'off'];

/** Result of the last action of each process. */
const results = new Map();

async function run(view, name, what, address) {
  const dialog = document.getElementById('confirm');
  dialog.querySelector('h2').textContent = name;
  dialog.querySelector('p').textContent = what;
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, {once: true}));
  if (dialog.returnValue !== 'yes') {
    return;
  }
  try {
    const {isDone, text} = await act(address);
    results.set(view.host.host_id, `${name}: ${isDone ? '' : 'failed: '}${text}`);
  } catch (failure) {
    results.set(view.host.host_id, `${name}: failed: ${failure.message}`);
  }
  view.changed();
}

export function actionsView(view) {
  const {actions, host} = view;
  const query = `host=${encodeURIComponent(host.host_id)}`;
  const mode = (kind) => run(view, `Mode ${kind}`, `Sets the mode of all copies of Netty in this process to ${kind}.`, `control?${query}&mode=${kind}`);
  return html`<nav class="actions" aria-label="Actions">
    ${Object.entries(ACTIONS).filter(([key]) => actions.includes(key) && host.state === 'up').map(([, one]) =>
      html`<button type="button" @click=${() => run(view, one.name, one.what, one.address(query))}>${one.name} …</button>`)}
    ${actions.includes('profile') ? html`<a class="button" href="debug/pprof/heap?${query}">Profile for pprof</a>` : nothing}
    ${actions.includes('control') && host.state === 'up' ? MODES.map((kind) => html`<button type="button" @click=${() => mode(kind)}>Mode ${kind} …</button>`) : nothing}
    ${actions.includes('postmortem') && host.state !== 'up' ? html`<a class="button" href="postmortem/${host.host_id}/">Post-mortem</a>` : nothing}
    ${view.hosts.length > 1 ? html`<a class="button" href="#pair=${host.host_id}">Compare with …</a>` : nothing}
    <output role="status">${results.get(host.host_id) ?? ''}</output>
  </nav>`;
}
