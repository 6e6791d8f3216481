/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;

/** The names of result files: {@code <date>[-label][-number]}, never one that another run has. */
public final class ResultFiles {
  private ResultFiles() {}

  /** The first name, without its ending, that no file has. */
  public static String freeStem(Path directory, LocalDate date, String label) {
    String stem = label.isEmpty() ? date.toString() : date + "-" + label;
    String free = stem;
    for (int number = 2; taken(directory, free); number++) {
      free = stem + "-" + number;
    }
    return free;
  }

  private static boolean taken(Path directory, String stem) {
    return Files.exists(directory.resolve(stem + ".md"))
        || Files.exists(directory.resolve(stem + ".json"));
  }
}
