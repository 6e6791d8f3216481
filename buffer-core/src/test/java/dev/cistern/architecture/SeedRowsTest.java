/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each row of the pool's requirements (docs/seed-rows.md) is named, as a tag or in the Javadoc, by
 * a test or a benchmark that shows it.
 */
class SeedRowsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private static List<String> rows() {
    return Stream.of(
            IntStream.rangeClosed(1, 16).mapToObj(n -> "A" + n),
            IntStream.rangeClosed(1, 4).mapToObj(n -> "F" + n),
            Stream.of("I1"))
        .flatMap(some -> some)
        .toList();
  }

  private static boolean names(String source, String row) {
    return source.contains("@Tag(\"" + row + "\")")
        || Pattern.compile("[Rr]ows? [A-Z0-9, \\n*/]*(and |to )?\\b" + row + "\\b")
            .matcher(source)
            .find();
  }

  @Test
  void everyRowIsNamedByATestOrABenchmark() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String module : List.of("buffer-core", "agent", "metrics-exporter", "docker/demo")) {
      sources.addAll(sources(ROOT.resolve(module).resolve("src/test")));
    }
    sources.addAll(sources(ROOT.resolve("microbench/src")));
    assertThat(sources).hasSizeGreaterThan(50);
    String docs = Files.readString(ROOT.resolve("docs/seed-rows.md"));
    for (String row : rows()) {
      assertThat(sources).as("sources that name %s", row).anyMatch(s -> names(s, row));
      assertThat(docs).as("docs/seed-rows.md").contains("| " + row + " |");
    }
  }

  private static List<String> sources(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(SeedRowsTest::read)
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void aRowIsNotTakenForAnother() {
    assertThat(names("@Tag(\"A1\")", "A1")).isTrue();
    assertThat(names("/** Seed rows A5, A8 and A11. */", "A11")).isTrue();
    assertThat(names("/** Seed row A6. */", "A6")).isTrue();
    assertThat(names("@Tag(\"A11\")", "A1")).isFalse();
    assertThat(names("/** Seed rows A5, A8 and A11. */", "A1")).isFalse();
    assertThat(names("a block A6 of memory", "A6")).isFalse();
  }
}
