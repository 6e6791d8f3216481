/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import org.jspecify.annotations.Nullable;

/** A rule that determines which characters and texts count as the same. */
enum TextEquality {
  /** Only equal characters are the same. */
  EXACT,
  /** Both cases of an ASCII letter are the same. */
  ASCII,
  /** Both cases of a letter of any script are the same. */
  UNICODE;

  /** Returns the rule that ignores the case of all letters that a text can contain. */
  static TextEquality anyCase(@Nullable CharSequence text) {
    return text instanceof AsciiString ? ASCII : UNICODE;
  }

  private boolean same(char a, char b) {
    return switch (this) {
      case EXACT -> false;
      case ASCII -> AsciiString.toLowerCase(a) == AsciiString.toLowerCase(b);
      case UNICODE ->
          Character.toUpperCase(a) == Character.toUpperCase(b)
              || Character.toLowerCase(a) == Character.toLowerCase(b);
    };
  }

  /** Returns whether two texts are the same, or both are null. */
  boolean same(@Nullable CharSequence a, @Nullable CharSequence b) {
    if (a == null || b == null) {
      return a == b;
    }
    return a.length() == b.length() && matches(a, 0, b, 0, a.length());
  }

  /** Returns whether a range of each text is the same; false if a text is null or too short. */
  boolean matches(
      @Nullable CharSequence a, int aStart, @Nullable CharSequence b, int bStart, int length) {
    if (a == null
        || b == null
        || (aStart | bStart) < 0
        || aStart > (long) a.length() - length
        || bStart > (long) b.length() - length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      char x = a.charAt(aStart + i);
      char y = b.charAt(bStart + i);
      if (x != y && !same(x, y)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the first index from {@code start} on at which {@code wanted} occurs, or -1. */
  int find(@Nullable CharSequence text, @Nullable CharSequence wanted, int start) {
    if (text == null || wanted == null) {
      return AsciiString.INDEX_NOT_FOUND;
    }
    for (int i = Math.max(start, 0); i <= text.length() - wanted.length(); i++) {
      if (matches(text, i, wanted, 0, wanted.length())) {
        return i;
      }
    }
    return AsciiString.INDEX_NOT_FOUND;
  }
}
