/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Figures for people. The exact value always goes into the title beside them.

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

/** A dash if it is not known. */
export function bytesOrDash(value) {
  return value === undefined || value === null ? '–' : bytes(value);
}

/** A change in bytes, with its sign. */
export function change(value) {
  return value > 0 ? `+${bytes(value)}` : bytes(value);
}

export function count(value) {
  return grouped.format(value);
}

/** @param many the plural form of what is counted */
export function plural(value, one, many = `${one}s`) {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A part of a whole; a dash if there is no whole. */
export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–';
}

/** A span of time in its two largest units. */
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

/** An estimated span of time in one unit; hours and days to a tenth. */
export function about(seconds) {
  const [name, unit, digits] = [['d', 86_400, 1], ['h', 3_600, 1], ['min', 60, 0]].find(([, size]) => seconds >= 1.5 * size) ?? ['s', 1, 0];
  return `${(Math.max(0, seconds) / unit).toFixed(digits)} ${name}`;
}

/** The time of a day in UTC, as everywhere on the page. */
export function clock(millis) {
  return instant(millis).slice(11, 19);
}

// A file that is not from a host can say anything; what is no date must not stop the page.
export function instant(millis) {
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? 'unknown' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
