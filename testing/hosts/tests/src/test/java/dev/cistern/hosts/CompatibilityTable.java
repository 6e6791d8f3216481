/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of {@code docs/compatibility.md}, created from the results of {@link Compatibility}.
 * Maven runs this test after all other tests of a full build. With {@code
 * -Dcistern.compatibility=write}, the test writes the table instead.
 */
class CompatibilityTable {
  private static final Path PAGE =
      HostCommand.HOSTS.resolve("../../docs/compatibility.md").normalize();
  private static final String BEGIN = "<!-- from here on by CompatibilityTable -->\n";
  private static final String END = "<!-- up to here by CompatibilityTable -->";
  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":\"([^\"]*)\"");

  @Test
  void thePageShowsTheResults() throws IOException {
    List<String> rows = rows();
    String page = Files.readString(PAGE, StandardCharsets.UTF_8);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(begin).as("place of the table in %s", PAGE).isBetween(BEGIN.length(), end);
    if (System.getProperty("cistern.compatibility", "check").equals("write")) {
      Files.writeString(PAGE, page.substring(0, begin) + table(rows) + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end).lines().skip(2).toList())
        .as("rows of %s; -Dcistern.compatibility=write writes them", PAGE)
        .isEqualTo(rows);
  }

  private static String table(List<String> rows) {
    return "| host | version | Netty | result (JDK) |\n|---|---|---|---|\n"
        + rows.stream().map(row -> row + "\n").collect(Collectors.joining());
  }

  /** Returns one row for each host, version and Netty. */
  private static List<String> rows() throws IOException {
    TreeMap<String, TreeMap<String, TreeSet<String>>> hosts =
        new TreeMap<>(String.CASE_INSENSITIVE_ORDER.thenComparing(Comparator.naturalOrder()));
    try (Stream<Path> files = Files.list(Compatibility.RESULTS)) {
      for (Path file : files.toList()) {
        TreeMap<String, String> fields = new TreeMap<>();
        Matcher field = FIELD.matcher(Files.readString(file, StandardCharsets.UTF_8));
        while (field.find()) {
          fields.put(field.group(1), field.group(2));
        }
        String host =
            "| %s | %s | %s |"
                .formatted(fields.get("host"), fields.get("version"), fields.get("netty"));
        hosts
            .computeIfAbsent(host, key -> new TreeMap<>(Comparator.reverseOrder()))
            .computeIfAbsent(fields.get("mode"), key -> new TreeSet<>())
            .add(fields.get("jdk"));
      }
    }
    return hosts.entrySet().stream()
        .map(
            host ->
                host.getValue().entrySet().stream()
                    .map(mode -> mode.getKey() + " (" + String.join(", ", mode.getValue()) + ")")
                    .collect(Collectors.joining(", ", host.getKey() + " ", " |")))
        .toList();
  }
}
