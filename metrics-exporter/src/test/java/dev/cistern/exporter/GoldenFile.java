/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares text with a committed file. {@code -Dcistern.golden=write} writes the file anew, for
 * somebody to look at what changed.
 */
final class GoldenFile {
  private static final Path DIRECTORY = Path.of("src/test/resources/dev/cistern/exporter");

  private GoldenFile() {}

  static void check(String name, String actual) {
    Path file = DIRECTORY.resolve(name);
    try {
      if ("write".equals(System.getProperty("cistern.golden"))) {
        Files.writeString(file, actual);
      }
      assertEquals(Files.readString(file), actual, file.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
