/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// What the page asks its own origin for. Addresses are relative, so that it works behind a path prefix.

const LIMIT_MILLIS = 10_000;

async function ask(address) {
  return fetch(address, {cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MILLIS)});
}

export async function state(host) {
  const answer = await ask(`state?host=${encodeURIComponent(host)}`);
  if (!answer.ok) {
    throw new Error(`the exporter answered ${answer.status}`);
  }
  return answer.json();
}

/**
 * The stacks of one site.
 *
 * @param kind `leaks` or `live`
 * @returns the list, or what to tell people instead: {refusal}
 */
export async function stacks(kind, host, pool, memory, site) {
  const query = `format=json&host=${encodeURIComponent(host)}&site=${encodeURIComponent(site)}`;
  const answer = await ask(`${kind}?${query}`);
  if (answer.status === 401 || answer.status === 403) {
    return {refusal: true};
  }
  if (!answer.ok) {
    throw new Error(`the exporter answered ${answer.status}`);
  }
  const pools = (await answer.json()).pools.filter((one) => one.pool === pool);
  const isOfSite = (one) => one.memory === memory && one.site === site;
  const list =
    kind === 'leaks'
      ? pools.flatMap((one) => one.leaks).filter(isOfSite)
      : pools.flatMap((one) => one.sites).filter(isOfSite).flatMap((one) => one.stacks);
  return {list};
}
