/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Requests to the origin of the page. Addresses are relative, so that it works behind a path prefix.

const LIMIT_MILLIS = {GET: 10_000, POST: 120_000}; // a garbage collection or a dump can take long

async function request(address, method = 'GET') {
  return fetch(address, {cache: 'no-store', method, signal: AbortSignal.timeout(LIMIT_MILLIS[method])});
}

async function json(address) {
  const response = await request(address);
  if (response.status === 401 || response.status === 403) {
    return null;
  }
  if (!response.ok) {
    throw new Error(`the exporter responded with status ${response.status}`);
  }
  return response.json();
}

const ofHost = (host) => `host=${encodeURIComponent(host)}`;

export const state = (host) => json(`state?${ofHost(host)}`);

export const history = (host) => json(`history?${ofHost(host)}`);

/** Returns all live sites with their stacks; null if this client may not see them. */
export const live = (host) => json(`live?format=json&${ofHost(host)}`);

/**
 * Returns the stacks of one site; null if this client may not see them.
 *
 * @param kind `leaks` or `live`
 */
export async function stacks(kind, host, pool, memory, site) {
  const report = await json(`${kind}?format=json&${ofHost(host)}&site=${encodeURIComponent(site)}`);
  if (report === null) {
    return null;
  }
  const pools = report.pools.filter((one) => one.pool === pool);
  const isOfSite = (one) => one.memory === memory && one.site === site;
  return kind === 'leaks'
    ? pools.flatMap((one) => one.leaks).filter(isOfSite)
    : pools.flatMap((one) => one.sites).filter(isOfSite).flatMap((one) => one.stacks);
}

/** Sends an action to the exporter; returns whether it succeeded, and the text of the response. */
export async function act(address) {
  const response = await request(address, 'POST');
  return {isDone: response.ok, text: (await response.text()).trim()};
}
