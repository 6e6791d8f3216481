/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Formats values for readers. The page always shows the exact value in the title of the element.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

const grouped = new Intl.NumberFormat('en');

export function bytes(value) {
  const sign = value < 0 ? '−' : '';
  let left = Math.abs(value);
  let unit = 0;
  while (left >= 1024 && unit < UNITS.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${sign}${unit === 0 ? left : left.toFixed(1)} ${UNITS[unit]}`;
}

/** Returns bytes with their unit, or a dash if they are unknown. */
export function bytesOrDash(value) {
  return value === undefined || value === null ? '–' : bytes(value);
}

/** Returns a change in bytes with its sign. */
export function change(value) {
  return value > 0 ? `+${bytes(value)}` : bytes(value);
}

export function count(value) {
  return grouped.format(value);
}

/** @param many plural form of the counted noun */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Returns a part as percentage of the whole, or a dash if there is no whole. */
export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–';
}

/** Returns a time span in its two largest units. */
export function duration(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${seconds % 60} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Returns an estimated time span in one unit; hours and days have one decimal. */
export function about(seconds) {
  const [name, unit, digits] = [['d', 86_400, 1], ['h', 3_600, 1], ['min', 60, 0]].find(([, size]) => seconds >= 1.5 * size) ?? ['s', 1, 0];
  return `${(Math.max(0, seconds) / unit).toFixed(digits)} ${name}`;
}

/** Returns the time of day in UTC, which the whole page uses. */
export function clock(millis) {
  return instant(millis).slice(11, 19);
}

// A file that no host wrote can contain any number; an invalid date must not stop the page.
export function instant(millis) {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? 'unknown' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
