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
 * How much of the heap what others wrote may take: whoever writes the largest files goes without
 * first, and so harms nobody else.
 */
final class HeapBudget {
  private static final int SHARE_OF_REPORTS = 4;
  private static final int SHARE_OF_SUMMARIES = 16;
  private static final int SHARE_OF_A_PAGE = 8;

  private HeapBudget() {}

  /** Bytes for the reports of all hosts that run, together. */
  static long ofReports() {
    return Runtime.getRuntime().maxMemory() / SHARE_OF_REPORTS;
  }

  /** Bytes for what is still shown of those that are gone, together. */
  static long ofSummaries() {
    return Runtime.getRuntime().maxMemory() / SHARE_OF_SUMMARIES;
  }

  /** Checks a file from which a page is made; the page's text takes several times as much. */
  static StatsFile checkForPage(StatsFile whole) throws IOException {
    long most = Runtime.getRuntime().maxMemory() / SHARE_OF_A_PAGE;
    if (whole.heapBytes() > most) {
      throw new PageTooLargeException(
          "the report takes some "
              + whole.heapBytes()
              + " bytes of heap (expected: "
              + most
              + " at most, a part of -Xmx)");
    }
    return whole;
  }

  /** Those that have to go so that the others fit: the largest. */
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
