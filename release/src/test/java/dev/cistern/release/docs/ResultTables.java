/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The tables of a file of published results. */
final class ResultTables {
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:,\\d{3})*(?:\\.\\d+)?");
  private static final double ROUNDING = 0.05;

  private final List<Row> rows = new ArrayList<>();

  /** A row, with the titles of its columns and the headings above it. */
  private record Row(List<String> headings, List<String> titles, List<String> cells) {
    /** Returns whether each part of a name is a heading, a cell or a column of this row. */
    boolean isNamed(List<String> parts) {
      return cells.stream().anyMatch(parts::contains)
          && parts.stream()
              .allMatch(p -> headings.contains(p) || cells.contains(p) || titles.contains(p));
    }

    /** Returns the cells of the columns that the name has, without the cells that name the row. */
    List<String> named(List<String> parts) {
      List<String> chosen = new ArrayList<>();
      for (int i = 0; i < Math.min(titles.size(), cells.size()); i++) {
        if (parts.contains(titles.get(i)) && !parts.contains(cells.get(i))) {
          chosen.add(cells.get(i));
        }
      }
      return chosen;
    }
  }

  ResultTables(String text) {
    List<String> headings = new ArrayList<>();
    List<String> titles = List.of();
    for (String line : text.lines().toList()) {
      if (line.startsWith("#")) {
        int level = line.indexOf(' ');
        while (headings.size() >= level) {
          headings.remove(headings.size() - 1);
        }
        while (headings.size() < level - 1) {
          headings.add("");
        }
        headings.add(line.substring(level + 1));
      }
      if (!line.startsWith("|")) {
        titles = List.of();
        continue;
      }
      List<String> cells = cells(line);
      if (titles.isEmpty()) {
        titles = cells;
      } else {
        rows.add(new Row(List.copyOf(headings), titles, cells));
      }
    }
  }

  private static List<String> cells(String line) {
    return Pattern.compile("\\|")
        .splitAsStream(line.substring(1))
        .map(cell -> cell.replace("*", "").strip())
        .toList();
  }

  /**
   * Returns whether a name belongs to exactly one row, and the cell of the column that it names has
   * all numbers of a text. A part of a name is a cell, a heading above the row, or the title of a
   * column. A percentage also represents the ratio that is so much above 1.
   */
  boolean contains(List<String> parts, String text) {
    List<String> numbers = numbers(text);
    List<Row> found = rows.stream().filter(row -> row.isNamed(parts)).toList();
    return !numbers.isEmpty()
        && found.size() == 1
        && hasAll(found.get(0).named(parts), numbers, text.endsWith("%"));
  }

  private static List<String> numbers(String text) {
    return NUMBER.matcher(text).results().map(MatchResult::group).toList();
  }

  private static boolean hasAll(List<String> cells, List<String> numbers, boolean isPercentage) {
    List<String> present =
        cells.stream().flatMap(cell -> numbers(withoutError(cell)).stream()).toList();
    return numbers.stream()
        .allMatch(
            number ->
                present.contains(number)
                    || (isPercentage && present.stream().anyMatch(p -> isRatio(p, number))));
  }

  /** Returns a cell such as {@code 9.1 ± 0.2} without its error, which is no result. */
  private static String withoutError(String cell) {
    return cell.replaceFirst("±.*", "");
  }

  private static boolean isRatio(String ratio, String percentage) {
    double percent = (Double.parseDouble(ratio.replace(",", "")) - 1) * 100;
    return Math.abs(percent - Double.parseDouble(percentage)) < ROUNDING;
  }
}
