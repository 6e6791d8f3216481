/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that each row of the requirements (docs/internals/requirements.md) lists exactly the test
 * classes that carry the row's tag.
 */
class RequirementsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final List<String> MODULES =
      List.of(
          "buffer-core",
          "agent",
          "metrics-exporter",
          "examples/demo",
          "examples/server",
          "microbench",
          "testing/hosts/tests");
  private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(\"([A-J]\\d+)\"\\)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Z]\\d+) \\|(.*)$");
  private static final Pattern TEST = Pattern.compile("`((?:[a-z]+\\.)*[A-Z]\\w*(?:Test|IT))`");

  private static List<String> rows() {
    return Stream.of(
            IntStream.rangeClosed(1, 16).mapToObj(n -> "A" + n),
            IntStream.rangeClosed(1, 13).mapToObj(n -> "B" + n),
            IntStream.rangeClosed(1, 5).mapToObj(n -> "C" + n),
            IntStream.rangeClosed(1, 7).mapToObj(n -> "D" + n),
            IntStream.rangeClosed(1, 8).mapToObj(n -> "E" + n),
            IntStream.rangeClosed(1, 4).mapToObj(n -> "F" + n),
            IntStream.rangeClosed(1, 4).mapToObj(n -> "G" + n),
            IntStream.rangeClosed(1, 2).mapToObj(n -> "H" + n),
            IntStream.rangeClosed(1, 9).mapToObj(n -> "I" + n),
            IntStream.rangeClosed(1, 5).mapToObj(n -> "J" + n))
        .flatMap(some -> some)
        .toList();
  }

  private static Set<String> tags(String source) {
    Set<String> tags = new TreeSet<>();
    for (Matcher tag = TAG.matcher(source); tag.find(); ) {
      tags.add(tag.group(1));
    }
    return tags;
  }

  /** Returns the test classes that the table names, with their packages, by row. */
  private static Map<String, Set<String>> listed(String table) {
    Map<String, Set<String>> listed = new TreeMap<>();
    for (Matcher row = ROW.matcher(table); row.find(); ) {
      Set<String> tests = new TreeSet<>();
      for (Matcher test = TEST.matcher(row.group(2)); test.find(); ) {
        String name = test.group(1);
        tests.add("dev.cistern." + (name.contains(".") ? "" : "pool.") + name);
      }
      assertThat(listed.put(row.group(1), tests)).as("%s comes once", row.group(1)).isNull();
    }
    return listed;
  }

  /** Returns the test classes that carry a row's tag, by row. */
  private static Map<String, Set<String>> tagged() throws IOException {
    Map<String, Set<String>> tagged = new TreeMap<>();
    for (String module : MODULES) {
      Path directory = ROOT.resolve(module).resolve("src/test/java");
      Collection<Path> sources = sources(directory);
      assertThat(sources).as(module).isNotEmpty();
      for (Path source : sources) {
        String path = directory.relativize(source).toString();
        String name = path.substring(0, path.length() - ".java".length()).replace('/', '.');
        for (String row : tags(Files.readString(source))) {
          tagged.computeIfAbsent(row, none -> new TreeSet<>()).add(name);
        }
      }
    }
    return tagged;
  }

  private static List<Path> sources(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("RequirementsTest.java")) // its strings contain tags
          .toList();
    }
  }

  @Test
  void eachRowListsTheTestsThatCarryItsTag() throws IOException {
    Map<String, Set<String>> listed =
        listed(Files.readString(ROOT.resolve("docs/internals/requirements.md")));
    assertThat(listed.keySet()).containsExactlyInAnyOrderElementsOf(rows());
    assertThat(listed.values()).as("each row has a test").noneMatch(Set::isEmpty);
    assertThat(listed).as("docs/internals/requirements.md, against the tags").isEqualTo(tagged());
  }

  @Test
  void aRowIsNotTakenForAnother() {
    assertThat(tags("  @Tag(\"A11\")\n  @Tag(\"F2\")\n")).containsExactly("A11", "F2");
    assertThat(tags("// @Tag(\"A1\")\nString tag = \"@Tag(\\\"A2\\\")\";\n")).isEmpty();
    assertThat(tags("@Tag(\"K1\")")).isEmpty();
    assertThat(listed("| A1 | x | `SomeTest`, `a.b.OtherTest`; not `Some` |\n| A11 | x | y |\n"))
        .isEqualTo(
            Map.of(
                "A1", Set.of("dev.cistern.pool.SomeTest", "dev.cistern.a.b.OtherTest"),
                "A11", Set.of()));
  }
}
