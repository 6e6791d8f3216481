/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import dev.cistern.exporter.report.HostReport;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parsed name of a dump: {@code cistern-dump-<process>-<UTC time>-<kind>-<reason>}.
 *
 * <p>The process part is the process ID and the random ID of the host, because process IDs repeat,
 * above all in containers. Names of earlier versions have only the process ID, and no kind.
 *
 * @param process the process that wrote the dump
 * @param time time of the dump, as text that sorts by time
 * @param isAutomatic whether the dump is automatic
 * @param isUnfinished whether the dump is being written, or its process ended while writing it
 */
record DumpName(String process, String time, boolean isAutomatic, boolean isUnfinished) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final String PREFIX = "cistern-dump-";
  private static final String AUTOMATIC = "auto-";
  private static final String REQUESTED = "request-";
  private static final String UNFINISHED = ".tmp";
  private static final String LOCK = ".lock";
  private static final int MAX_WORD = 40;
  private static final String WORD = "[a-z0-9-]{1," + MAX_WORD + "}";
  private static final String PROCESS = "(?<process>\\d+(-" + WORD + ")?)";

  private static final Pattern NAME =
      Pattern.compile(
          "(?<dot>[.]?)"
              + PREFIX
              + PROCESS
              + "-(?<time>\\d{8}T\\d{6}[.]\\d{6}Z)-(?<kind>"
              + AUTOMATIC
              + "|"
              + REQUESTED
              + ")?"
              + WORD
              + "([.]tmp)?");

  private static final Pattern LOCK_NAME = Pattern.compile("[.]" + PREFIX + PROCESS + "[.]lock");

  /** Returns the name part for this process, which is the host of a report. */
  static String process(HostReport report) {
    return ProcessHandle.current().pid() + "-" + word(report.host().id());
  }

  /** Returns the name of a dump that begins now. */
  static String now(String process, boolean isAutomatic, String reason) {
    String kind = isAutomatic ? AUTOMATIC : REQUESTED;
    return PREFIX + process + "-" + time(Duration.ZERO) + "-" + kind + word(reason);
  }

  /** Returns the temporary name of a dump until it is complete. */
  static String unfinished(String name) {
    return "." + name + UNFINISHED;
  }

  /** Returns the name of the file that a process locks while it runs. */
  static String lock(String process) {
    return "." + PREFIX + process + LOCK;
  }

  /**
   * Returns the process that owns a lock file by the file's name, or null if it is not a lock file.
   */
  static @Nullable String lockOwner(String name) {
    Matcher lock = LOCK_NAME.matcher(name);
    return lock.matches() ? lock.group("process") : null;
  }

  /** Returns the time after a duration from now, in the format of dump names. */
  static String time(Duration fromNow) {
    return TIME.format(Instant.now().plus(fromNow));
  }

  /** Returns the parts of a name, or null if it is not the name of a dump. */
  static @Nullable DumpName parse(String name) {
    Matcher parts = NAME.matcher(name);
    return parts.matches()
        ? new DumpName(
            parts.group("process"),
            parts.group("time"),
            AUTOMATIC.equals(parts.group("kind")),
            !parts.group("dot").isEmpty())
        : null;
  }

  private static String word(String text) {
    String word = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String cut = word.substring(0, Math.min(MAX_WORD, word.length()));
    return cut.isEmpty() ? "none" : cut;
  }
}
