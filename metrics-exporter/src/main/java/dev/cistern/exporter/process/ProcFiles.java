/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Small files of the kernel. A stream reads them, because a channel would copy them through direct
 * memory, and there may be none left.
 */
final class ProcFiles {
  private ProcFiles() {}

  /** Returns the text of a file. */
  static String read(File file) throws IOException {
    try (FileInputStream in = new FileInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** Returns the lines of a file. */
  static List<String> lines(File file) throws IOException {
    return read(file).lines().toList();
  }
}
