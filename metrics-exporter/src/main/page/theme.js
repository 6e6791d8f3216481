/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Runs before the first paint: otherwise the page would flash in the wrong theme.
(() => {
  const KEY = 'cistern-theme';
  const CHOICES = ['auto', 'light', 'dark'];

  // Storage can be forbidden; the choice then lasts as long as the page.
  const stored = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const store = (choice) => {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // see above
    }
  };

  let choice = CHOICES.includes(stored()) ? stored() : 'auto';
  const apply = () => {
    document.documentElement.dataset.theme = choice;
    const button = document.getElementById('theme');
    if (button) {
      button.textContent = `Theme: ${choice}`;
    }
    document.dispatchEvent(new Event('theme'));
  };
  apply();

  document.addEventListener('DOMContentLoaded', () => {
    apply();
    document.getElementById('theme').addEventListener('click', () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      store(choice);
      apply();
    });
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
})();
