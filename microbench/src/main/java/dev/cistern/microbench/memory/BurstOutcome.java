/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import dev.cistern.microbench.Environment;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The resident memory of a host over its bursts, in bytes.
 *
 * @param subject the host
 * @param java feature version of its JDK
 * @param start value after the warm-up
 * @param peak maximum at any time
 * @param after values 20 s after each burst
 * @param millis duration of each burst
 * @param failure reason why there are no figures, or empty
 */
record BurstOutcome(
    BurstSubject subject,
    int java,
    long start,
    long peak,
    List<Long> after,
    List<Long> millis,
    String failure) {
  static final String HEAD =
      """

      ### http-bursts

      An HTTP host with `-Xmx256m` holds 128 requests with 700 MiB of buffers of 1 KiB to 1 MiB on four event loops, releases them, half by
      another loop, and idles for 20 s. VmRSS in MiB:

      | host | Java | start | after each burst | peak | duration of each, ms |
      |---|---|---|---|---|---|
      """;

  private static final double MIB = 1 << 20;

  /** Returns the target: the maximum growth after a burst, compared with the start. */
  Target target() {
    double most = failure.isEmpty() ? Collections.max(after) : Double.NaN;
    return new Target(
        "MiB of VmRSS above the start after a burst, the most",
        (most - start) / MIB,
        subject.mostGrowthMib());
  }

  /** Returns a row of the table. */
  String row() {
    String host = "| " + subject.title() + " | " + java + " | ";
    return failure.isEmpty()
        ? String.format(
            Locale.ROOT,
            "%s%.0f | %s | %.0f | %s |\n",
            host,
            start / MIB,
            mebibytes(after),
            peak / MIB,
            list(millis))
        : host + "failed: " + failure + " |\n";
  }

  /** Returns a row of the table of targets; empty if there is none. */
  String targetRow() {
    return Double.isNaN(subject.mostGrowthMib())
        ? ""
        : "| " + subject.title() + ", Java " + java + " | " + target().cells() + " |\n";
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "  {\"scenario\": \"http-bursts\", \"host\": %s, \"java\": %d, \"failure\": %s, \"start\": %d,"
            + " \"peak\": %d, \"after\": [%s], \"millis\": [%s]}",
        Environment.quoted(subject.title()),
        java,
        Environment.quoted(failure),
        start,
        peak,
        list(after),
        list(millis));
  }

  private static String mebibytes(List<Long> bytes) {
    return bytes.stream()
        .map(each -> String.format(Locale.ROOT, "%.0f", each / MIB))
        .collect(Collectors.joining(", "));
  }

  private static String list(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
