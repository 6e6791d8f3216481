/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Values as Grafana writes them: the units that the dashboards use.
'use strict';

function digits(value) {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3)));
}

function scaled(factor, names) {
  return value => {
    let step = 0;
    let rest = value;
    while (Math.abs(rest) >= factor && step < names.length - 1) {
      rest /= factor;
      step++;
    }
    return (digits(rest) + names[step]).trim();
  };
}

const THOUSANDS = ['', 'K', 'M', 'B', 'T'];

function duration(seconds) {
  const size = Math.abs(seconds);
  for (const [from, factor, name] of [
    [31536000, 31536000, ' years'], [604800, 604800, ' weeks'], [86400, 86400, ' days'], [3600, 3600, ' hours'],
    [60, 60, ' mins'], [1, 1, ' s'], [1e-3, 1e-3, ' ms'], [1e-6, 1e-6, ' µs'],
  ]) {
    if (size >= from) {
      const amount = digits(seconds / factor);
      return amount + (amount === '1' && name.length > 3 ? name.slice(0, -1) : name);
    }
  }
  return seconds === 0 ? '0 s' : digits(seconds * 1e9) + ' ns';
}

const UNITS = {
  none: value => digits(value),
  short: scaled(1000, ['', ' K', ' Mil', ' Bil', ' Tri']),
  bytes: scaled(1024, [' B', ' KiB', ' MiB', ' GiB', ' TiB']),
  binBps: scaled(1024, [' B/s', ' KiB/s', ' MiB/s', ' GiB/s', ' TiB/s']),
  Bps: scaled(1000, [' B/s', ' kB/s', ' MB/s', ' GB/s', ' TB/s']),
  percentunit: value => digits(value * 100) + '%',
  percent: value => digits(value) + '%',
  ops: scaled(1000, THOUSANDS.map(name => name + ' ops/s')),
  cps: scaled(1000, THOUSANDS.map(name => name + ' c/s')),
  s: duration,
  ms: value => duration(value / 1000),
  dateTimeAsIso: millis => new Date(millis).toISOString().slice(0, 19).replace('T', ' '),
  dateTimeFromNow: millis => duration((Date.now() - millis) / 1000) + ' ago',
};

/** The pattern of the suffix of each unit; plain numbers have no suffix. */
const SUFFIXES = {
  bytes: / ([KMGT]i)?B$/, binBps: / ([KMGT]i)?B\/s$/, Bps: / [kMGT]?B\/s$/, percentunit: /%$/, percent: /%$/,
  ops: /[KMBT]? ops\/s$/, cps: /[KMBT]? c\/s$/, s: / (ns|µs|ms|s|mins?|hours?|days?|weeks?|years?)$/,
  ms: / (ns|µs|ms|s|mins?|hours?|days?|weeks?|years?)$/,
};

function format(unit, value) {
  if (value === null || value === undefined) {
    return '';
  }
  if (!(unit in UNITS)) {
    throw new Error('a unit that the test cannot draw: ' + unit);
  }
  return UNITS[unit](value);
}
