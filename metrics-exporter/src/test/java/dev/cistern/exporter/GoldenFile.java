/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.testing.Generated;
import java.nio.file.Path;

/**
 * A comparison of text with a committed file. {@code -Dcistern.golden=write} writes the file again,
 * for a review of the changes.
 */
final class GoldenFile {
  private static final Path DIRECTORY = Path.of("src/test/resources/dev/cistern/exporter");

  private GoldenFile() {}

  static void check(String name, String actual) {
    Generated.check(DIRECTORY.resolve(name), actual);
  }
}
