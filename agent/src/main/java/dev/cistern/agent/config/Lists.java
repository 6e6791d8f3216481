/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.ArrayList;
import java.util.List;

/** Lists as settings have them: a character between the elements. */
final class Lists {
  private Lists() {}

  /** The elements without the blanks around them; an empty text has one, which is empty. */
  static List<String> split(String text, char separator) {
    List<String> elements = new ArrayList<>();
    int start = 0;
    for (int end = text.indexOf(separator); end >= 0; end = text.indexOf(separator, start)) {
      elements.add(text.substring(start, end).trim());
      start = end + 1;
    }
    elements.add(text.substring(start).trim());
    return elements;
  }
}
