/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// One sentence on a process, before everything else.

import {html, nothing} from './lib/lit-html/lit-html.js';
import {duration, instant} from './format.js';

/** Opens a site in the table and goes there. */
function showSite(site) {
  const row = [...document.querySelectorAll('details.site')].find((one) => one.dataset.site === site);
  (row ?? document.getElementById('sites')).scrollIntoView({block: 'start'});
  if (row) {
    row.open = true;
    row.querySelector('summary').focus({preventScroll: true});
  }
}

export function verdictView({host, nowMillis}) {
  const {verdict} = host;
  const since = verdict.since_millis;
  return html`<section class="verdict ${verdict.level}" aria-label="Verdict">
    <h2>${verdict.what}</h2>
    <p>${verdict.sure}${since > 0 ? html`, since <time title=${instant(since)}>${duration(nowMillis - since)}</time>` : nothing}.</p>
    <p><b>Next:</b> ${verdict.next}.
      ${verdict.site ? html`<button type="button" @click=${() => showSite(verdict.site)}>Go to this site</button>` : nothing}</p>
  </section>`;
}
