/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Native memory tracking of this JVM: its own allocations by {@code malloc} and by mapping, without
 * the Java heap, classes, stacks, code, and memory that it allocates for the application.
 *
 * @param mallocBytes bytes from {@code malloc}
 * @param mappedBytes committed bytes of mappings
 */
record NativeTracking(long mallocBytes, long mappedBytes) {
  private static final String OPTION = "NativeMemoryTracking";

  /** Categories that belong to other parts. Other has memory of Unsafe and of direct buffers. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "Java Heap",
          "Class",
          "Metaspace",
          "Code",
          "Thread",
          "Thread Stack",
          "Other",
          "Shared class space");

  private static final Pattern CATEGORY =
      Pattern.compile("^-\\s+(.+?) \\(reserved=(\\d+)KB, committed=(\\d+)KB");

  private static final Pattern MAPPED =
      Pattern.compile("mmap: reserved=\\d+KB, committed=(\\d+)KB");

  /** Returns whether the JVM was started with native memory tracking. */
  static boolean isOn() {
    try {
      String level = JavaBeans.option(OPTION);
      return !level.isEmpty() && !level.equals("off");
    } catch (LinkageError withoutBeans) { // a runtime without java.management
      return false;
    }
  }

  /** Returns the current figures; null if tracking is off. Opens the MBean server. */
  static @Nullable NativeTracking read() {
    String summary = DiagnosticCommands.run("vmNativeMemory", "summary");
    return summary == null ? null : parse(summary);
  }

  static @Nullable NativeTracking parse(String summary) {
    long malloc = 0;
    long mapped = 0;
    boolean isFound = false;
    long committedOfCategory = 0;
    boolean isCounted = false;
    for (String line : summary.split("\n", -1)) {
      Matcher category = CATEGORY.matcher(line);
      if (category.find()) {
        isFound = true;
        isCounted = !ELSEWHERE.contains(category.group(1).strip());
        committedOfCategory = Long.parseLong(category.group(3)) << 10;
        malloc += isCounted ? committedOfCategory : 0;
        continue;
      }
      Matcher mapping = MAPPED.matcher(line);
      if (isCounted && mapping.find()) {
        long bytes = Long.parseLong(mapping.group(1)) << 10;
        mapped += bytes;
        malloc -= bytes;
      }
    }
    return isFound ? new NativeTracking(Math.max(0, malloc), mapped) : null;
  }
}
