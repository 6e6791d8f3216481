/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Copies text to the clipboard. Browsers offer the clipboard API only to pages from https or from the same machine;
// any other page copies a selection.

export async function copy(text) {
  if (navigator.clipboard && isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // the browser refuses the clipboard API, but can still allow a copy of a selection
    }
  }
  return copyOfSelection(text);
}

function copyOfSelection(text) {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'offscreen';
  area.setAttribute('aria-hidden', 'true');
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } finally {
    area.remove();
    focused?.focus({preventScroll: true});
  }
}
