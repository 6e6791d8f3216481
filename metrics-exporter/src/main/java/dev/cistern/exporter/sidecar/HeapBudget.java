/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.http.PageTooLargeException;
import dev.cistern.exporter.statsfile.StatsFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Limits of the heap for data that other processes wrote. If the heap is too small, the largest
 * files lose their data first. A host with large files thus does not affect the other hosts.
 */
final class HeapBudget {
  /** Divisors of the maximum heap. Each limit is the quotient. */
  private static final int REPORTS_DIVISOR = 4;

  private static final int SUMMARIES_DIVISOR = 16;
  private static final int PAGE_DIVISOR = 8;

  private HeapBudget() {}

  /** Returns the limit for the reports of all running hosts together, in bytes. */
  static long ofReports() {
    return Runtime.getRuntime().maxMemory() / REPORTS_DIVISOR;
  }

  /** Returns the limit for the summaries of all ended hosts together, in bytes. */
  static long ofSummaries() {
    return Runtime.getRuntime().maxMemory() / SUMMARIES_DIVISOR;
  }

  /** Checks a file for a page. The text of the page takes several times the heap of the file. */
  static StatsFile checkForPage(StatsFile whole) throws IOException {
    long max = Runtime.getRuntime().maxMemory() / PAGE_DIVISOR;
    if (whole.heapBytes() > max) {
      throw new PageTooLargeException(
          "the report takes some "
              + whole.heapBytes()
              + " bytes of heap (expected: up to "
              + max
              + ", a part of -Xmx)");
    }
    return whole;
  }

  /** Returns the entries to drop so that the rest fits: the largest. */
  static List<String> tooMuch(Map<String, Long> bytesOf, long limit) {
    long sum = bytesOf.values().stream().mapToLong(Long::longValue).sum();
    List<String> gone = new ArrayList<>();
    if (sum <= limit) {
      return gone;
    }
    List<Map.Entry<String, Long>> largestFirst = new ArrayList<>(bytesOf.entrySet());
    largestFirst.sort(
        Map.Entry.<String, Long>comparingByValue()
            .reversed()
            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())));
    for (Map.Entry<String, Long> largest : largestFirst) {
      if (sum <= limit) {
        break;
      }
      sum -= largest.getValue();
      gone.add(largest.getKey());
    }
    return gone;
  }
}
