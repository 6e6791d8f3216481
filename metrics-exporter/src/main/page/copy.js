/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Copies text. Only a page from https or from this machine has a clipboard; others use the older way.

export async function copy(text) {
  if (navigator.clipboard && isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // not allowed here: the older way may be
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
