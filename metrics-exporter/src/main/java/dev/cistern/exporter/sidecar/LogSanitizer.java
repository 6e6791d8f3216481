/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

/** Filter for lines of the log that contain names from other processes. */
final class LogSanitizer {
  private LogSanitizer() {}

  /** Replaces control and non-ASCII characters to prevent log injection. */
  static String plain(String line) {
    return line.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
