/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the tables of docs/metrics.md. */
public final class Catalogue {
  private static final Path DOCUMENT = Repository.path("docs/metrics.md");

  private static final Pattern NAME = Pattern.compile("`([a-z_]+)`");

  private Catalogue() {}

  /** One row of a table. */
  public record Row(String type, String unit, Set<String> labels, String meaning) {}

  /** Every metric that the document lists, by its exposed name. */
  public static Map<String, Row> rows() {
    Map<String, Row> rows = new TreeMap<>();
    for (String line : lines()) {
      if (line.startsWith("| `cistern_")) {
        String[] cells =
            Arrays.stream(line.split("\\|", -1)).map(String::trim).toArray(String[]::new);
        String name = cells[1].replace("`", "");
        Row row = new Row(cells[2], cells[3], names(cells[4]), cells[5]);
        if (rows.put(name, row) != null) {
          throw new AssertionError(DOCUMENT + " lists " + name + " twice");
        }
      }
    }
    return rows;
  }

  private static Iterable<String> lines() {
    try {
      return Files.readAllLines(DOCUMENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> names(String cell) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = NAME.matcher(cell);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }
}
