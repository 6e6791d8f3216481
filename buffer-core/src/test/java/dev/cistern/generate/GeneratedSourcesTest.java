/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code -Dcistern.generate=true} writes what it else compares. */
final class GeneratedSourcesTest {
  private static final Path DIRECTORY = Path.of("src/generated/java/dev/cistern");

  static Stream<String> names() {
    return GeneratedSources.all().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void areWhatTheRulesSay(String name) throws IOException {
    Path file = DIRECTORY.resolve(name + ".java");
    String source = GeneratedSources.all().get(name);
    if (Boolean.getBoolean("cistern.generate")) {
      Files.writeString(file, source);
    }
    assertThat(file).content().isEqualTo(source);
  }

  @Test
  void areAllThereIs() throws IOException {
    try (Stream<Path> files = Files.walk(DIRECTORY)) {
      Stream<String> places =
          files
              .filter(file -> !Files.isDirectory(file))
              .map(file -> DIRECTORY.relativize(file).toString().replace(".java", ""));
      assertThat(places).containsExactlyInAnyOrderElementsOf(GeneratedSources.all().keySet());
    }
  }
}
