/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The archives of this build. */
final class Archive {
  static final String NAME = "cistern-" + System.getProperty("cistern.version");
  static final Path CHECKOUT = Path.of(System.getProperty("cistern.home"));

  private static final Path DIRECTORY = Path.of(System.getProperty("cistern.archives"));
  private static final long LIMIT_SECONDS = 60;

  private Archive() {}

  static Path zip() {
    return DIRECTORY.resolve(NAME + ".zip");
  }

  /** Unpacks the {@code tar.gz} and returns its top directory. */
  static Path unpack(Path directory) throws IOException, InterruptedException {
    Tool.Outcome outcome =
        Tool.run(
            new ProcessBuilder(
                "tar",
                "-xzf",
                DIRECTORY.resolve(NAME + ".tar.gz").toString(),
                "-C",
                directory.toString()),
            LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    try (Stream<Path> top = Files.list(directory)) {
      assertThat(top).containsExactly(directory.resolve(NAME));
    }
    return directory.resolve(NAME);
  }

  /** Returns all files below a directory with their content, by their path with slashes. */
  static Map<String, byte[]> files(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      all.filter(Files::isRegularFile)
          .forEach(
              file ->
                  files.put(directory.relativize(file).toString().replace('\\', '/'), read(file)));
    }
    return files;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
