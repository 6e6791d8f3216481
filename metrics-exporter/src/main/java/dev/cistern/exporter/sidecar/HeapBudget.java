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
  private static final int SHARE_OF_REPORTS = 4;
  private static final int SHARE_OF_SUMMARIES = 16;
  private static final int SHARE_OF_A_PAGE = 8;

  private HeapBudget() {}

  /** Returns the limit for the reports of all running hosts together, in bytes. */
  static long ofReports() {
    return Runtime.getRuntime().maxMemory() / SHARE_OF_REPORTS;
  }

  /** Returns the limit for the summaries of all ended hosts together, in bytes. */
  static long ofSummaries() {
    return Runtime.getRuntime().maxMemory() / SHARE_OF_SUMMARIES;
  }

  /** Checks a file for a page. The text of the page takes several times the heap of the file. */
  static StatsFile checkForPage(StatsFile whole) throws IOException {
    long most = Runtime.getRuntime().maxMemory() / SHARE_OF_A_PAGE;
    if (whole.heapBytes() > most) {
      throw new PageTooLargeException(
          "the report takes some "
              + whole.heapBytes()
              + " bytes of heap (expected: up to "
              + most
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
