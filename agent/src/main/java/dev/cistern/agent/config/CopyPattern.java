/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which copies of Netty are meant: {@code prefix} or {@code prefix@loader}, where {@code *} stands
 * for any characters.
 *
 * <p>The prefix is the copy's package, such as {@code io.netty} or {@code
 * io.grpc.netty.shaded.io.netty}; the loader is the name of its class loader, or that of the
 * loader's class.
 *
 * @param prefix pattern of the package prefix
 * @param loader pattern of the loader; {@code *} for any
 */
public record CopyPattern(String prefix, String loader) {
  private static final int MAX_LENGTH = 500;
  private static final String ANY = "*";

  /** Between patterns in a list. */
  private static final char SEPARATOR = ':';

  /** Every copy. */
  public static final CopyPattern ALL = new CopyPattern(ANY, ANY);

  /**
   * Reads a pattern.
   *
   * @throws BadSettingException if it is none
   */
  public static CopyPattern of(String text) throws BadSettingException {
    if (!isPattern(text)) {
      throw new BadSettingException(
          "copies = '" + text + "' is malformed; allowed: " + Form.PATTERN_WORDS);
    }
    int at = text.indexOf('@');
    return at < 0
        ? new CopyPattern(text, ANY)
        : new CopyPattern(at == 0 ? ANY : text.substring(0, at), text.substring(at + 1));
  }

  static boolean isPattern(String text) {
    int at = text.indexOf('@');
    if (text.isEmpty() || text.length() > MAX_LENGTH || at == text.length() - 1) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == ',' || c == SEPARATOR || (c == '@' && i != at)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code text} is {@code none} or a list of patterns. */
  static boolean isList(String text) {
    return text.equals("none")
        || Lists.split(text, SEPARATOR).stream().allMatch(CopyPattern::isPattern);
  }

  /** Reads a list that was checked; {@code none} is an empty one. */
  static List<CopyPattern> list(String text) {
    List<CopyPattern> patterns = new ArrayList<>();
    if (!text.equals("none")) {
      for (String part : Lists.split(text, SEPARATOR)) {
        try {
          patterns.add(of(part));
        } catch (BadSettingException checked) {
          throw new IllegalArgumentException(checked);
        }
      }
    }
    return Collections.unmodifiableList(patterns);
  }

  /**
   * Whether a copy is meant.
   *
   * @param copyPrefix its package prefix, with dots
   * @param loaderNames what its loader is called
   */
  public boolean matches(String copyPrefix, List<String> loaderNames) {
    if (!isLike(prefix, copyPrefix)) {
      return false;
    }
    if (loader.equals(ANY)) {
      return true;
    }
    for (String name : loaderNames) {
      if (isLike(loader, name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether {@code text} has the pattern's pieces in their order, the outer ones at its ends. */
  private static boolean isLike(String pattern, String text) {
    int star = pattern.indexOf('*');
    if (star < 0) {
      return pattern.equals(text);
    }
    int last = pattern.lastIndexOf('*');
    String tail = pattern.substring(last + 1);
    if (!text.startsWith(pattern.substring(0, star)) || text.length() < star + tail.length()) {
      return false;
    }
    int at = star;
    while (star < last) {
      int next = pattern.indexOf('*', star + 1);
      String piece = pattern.substring(star + 1, next);
      int found = text.indexOf(piece, at);
      if (found < 0) {
        return false;
      }
      at = found + piece.length();
      star = next;
    }
    return text.length() - tail.length() >= at && text.endsWith(tail);
  }

  /** As it is written. */
  @Override
  public String toString() {
    return loader.equals(ANY) ? prefix : prefix + '@' + loader;
  }
}
