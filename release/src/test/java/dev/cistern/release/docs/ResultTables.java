/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The tables of a file of published results. */
final class ResultTables {
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:[.,]\\d+)*");
  private static final double ROUNDING = 0.05;

  private final List<Row> rows = new ArrayList<>();

  /** A row, with the titles of its columns and the headings above it. */
  private record Row(List<String> headings, List<String> titles, List<String> cells) {
    /** Returns whether each part of a name is a heading, a cell or a column of this row. */
    boolean isNamed(List<String> parts) {
      return cells.stream().anyMatch(parts::contains)
          && parts.stream().allMatch(p -> headings.contains(p) || cells.contains(p) || isTitle(p));
    }

    private boolean isTitle(String part) {
      return titles.contains(part);
    }

    /** Returns the cells of the columns that the name has; without such columns, all cells. */
    List<String> named(List<String> parts) {
      List<String> chosen = new ArrayList<>();
      for (int i = 0; i < Math.min(titles.size(), cells.size()); i++) {
        if (parts.contains(titles.get(i))) {
          chosen.add(cells.get(i));
        }
      }
      return chosen.isEmpty() ? cells : chosen;
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
   * Returns whether a row that has all parts of a name contains all numbers of a text. A part is a
   * cell, a heading above the row, or the title of the column that has the number. A percentage
   * also represents the ratio that is so much above 1.
   */
  boolean contains(List<String> parts, String text) {
    List<String> numbers = NUMBER.matcher(text).results().map(each -> each.group()).toList();
    return !numbers.isEmpty()
        && rows.stream()
            .filter(row -> row.isNamed(parts))
            .anyMatch(row -> hasAll(row.named(parts), numbers, text.endsWith("%")));
  }

  private static boolean hasAll(List<String> cells, List<String> numbers, boolean isPercentage) {
    List<String> present =
        cells.stream()
            .flatMap(cell -> NUMBER.matcher(cell).results())
            .map(each -> each.group())
            .toList();
    return numbers.stream()
        .allMatch(
            number ->
                present.contains(number)
                    || (isPercentage && present.stream().anyMatch(p -> isAbove(p, number))));
  }

  private static boolean isAbove(String ratio, String percentage) {
    double percent = (Double.parseDouble(ratio.replace(",", "")) - 1) * 100;
    return Math.abs(percent - Double.parseDouble(percentage)) < ROUNDING;
  }
}
