/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.util.internal.StringUtil;

/** Writes the values of a table as CSV and reads them back; most values need no quotes. */
public class CsvEscape extends Workload {
  private final String[] values = new String[64];

  @Override
  void open() {
    String[] some = {
      "plain",
      "a longer value without anything special in it",
      "with, a comma",
      "",
      " spaces ",
      "a \"quoted\" word",
      "two\r\nlines",
      "0.123456789"
    };
    for (int i = 0; i < values.length; i++) {
      values[i] = some[i % some.length] + i;
    }
  }

  @Override
  int operate() {
    int sum = 0;
    for (String value : values) {
      CharSequence escaped = StringUtil.escapeCsv(value);
      sum += StringUtil.unescapeCsv(escaped).length();
      sum += StringUtil.escapeCsv(value, true).length();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    for (String value : values) {
      into.add(StringUtil.escapeCsv(value));
      into.add(StringUtil.unescapeCsv(StringUtil.escapeCsv(value)));
      into.add(StringUtil.escapeCsv(value, true));
    }
  }
}
