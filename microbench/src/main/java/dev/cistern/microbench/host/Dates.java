/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.codec.DateFormatter;
import java.util.Date;
import java.util.concurrent.TimeUnit;

/** Writes and reads the dates of headers. */
@SuppressWarnings("JavaUtilDate") // Netty's API requires it
public class Dates extends Workload {
  private static final int COUNT = 32;

  private final Date[] dates = new Date[COUNT];

  @Override
  void open() {
    for (int i = 0; i < COUNT; i++) {
      dates[i] = new Date(TimeUnit.SECONDS.toMillis(1_773_051_072L + 86_413L * i));
    }
  }

  private static Date read(String text) {
    Date date = DateFormatter.parseHttpDate(text);
    if (date == null) {
      throw new IllegalStateException("not read as a date: " + text);
    }
    return date;
  }

  @Override
  int operate() {
    int sum = 0;
    for (Date date : dates) {
      sum += (int) read(DateFormatter.format(date)).getTime();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    for (Date date : dates) {
      String text = DateFormatter.format(date);
      into.add(text);
      into.add(read(text).getTime());
    }
  }
}
