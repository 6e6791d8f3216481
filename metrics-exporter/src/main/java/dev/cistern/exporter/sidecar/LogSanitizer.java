/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

/** Lines of the log that have names of others in them. */
final class LogSanitizer {
  private LogSanitizer() {}

  /** One line stays one line, and a terminal has nothing to obey. */
  static String plain(String line) {
    return line.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
