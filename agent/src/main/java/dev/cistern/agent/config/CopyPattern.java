/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of copies of Netty: {@code prefix} or {@code prefix@loader}, in which {@code *} matches
 * any characters.
 *
 * <p>The prefix is the package of the copy, such as {@code io.netty} or {@code
 * io.grpc.netty.shaded.io.netty}; the loader is the name of its class loader, or that of the
 * loader's class.
 *
 * @param prefix pattern of the package prefix
 * @param loader pattern of the loader; {@code *} for any
 */
public record CopyPattern(String prefix, String loader) {
  private static final int MAX_LENGTH = 500;
  private static final String ANY = "*";

  /** Matches every copy. */
  public static final CopyPattern ALL = new CopyPattern(ANY, ANY);

  /**
   * Returns the pattern that a text describes.
   *
   * @throws BadSettingException if the text is no pattern
   */
  public static CopyPattern of(String text) throws BadSettingException {
    CopyPattern pattern = parse(text);
    if (pattern == null) {
      throw new BadSettingException(
          "copies",
          "'" + text + "'",
          "a package prefix with an optional @loader: io.netty, io.grpc.*, *@app");
    }
    return pattern;
  }

  /** Returns the pattern, or null if the text is no pattern. */
  private static @Nullable CopyPattern parse(String text) {
    int at = text.indexOf('@');
    boolean isPattern = !text.isEmpty() && text.length() <= MAX_LENGTH && at != text.length() - 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      isPattern &= c > ' ' && c != ',' && c != ':' && (c != '@' || i == at);
    }
    if (!isPattern) {
      return null;
    }
    return at < 0
        ? new CopyPattern(text, ANY)
        : new CopyPattern(at == 0 ? ANY : text.substring(0, at), text.substring(at + 1));
  }

  /** Returns the patterns of a list, or null if one is malformed; {@code none} is an empty list. */
  static @Nullable List<CopyPattern> list(String text) {
    List<CopyPattern> patterns = new ArrayList<>();
    if (!text.equals("none")) {
      for (String part : text.split(":", -1)) {
        CopyPattern pattern = parse(part.trim());
        if (pattern == null) {
          return null;
        }
        patterns.add(pattern);
      }
    }
    return List.copyOf(patterns);
  }

  /**
   * Returns whether the pattern matches a copy.
   *
   * @param copyPrefix package prefix of the copy, with dots
   * @param loaderNames names of its class loader
   */
  public boolean matches(String copyPrefix, List<String> loaderNames) {
    return isLike(prefix, copyPrefix)
        && (loader.equals(ANY) || loaderNames.stream().anyMatch(name -> isLike(loader, name)));
  }

  /** Returns whether {@code text} has the pattern's pieces in order, the outer ones at its ends. */
  private static boolean isLike(String pattern, String text) {
    String[] pieces = pattern.split("\\*", -1); // needs no regular expression
    int last = pieces.length - 1;
    if (last == 0) {
      return pattern.equals(text);
    }
    if (!text.startsWith(pieces[0])) {
      return false;
    }
    int at = pieces[0].length();
    for (int i = 1; i < last; i++) {
      int found = text.indexOf(pieces[i], at);
      if (found < 0) {
        return false;
      }
      at = found + pieces[i].length();
    }
    return text.length() - pieces[last].length() >= at && text.endsWith(pieces[last]);
  }

  /** Returns the text of the pattern. */
  @Override
  public String toString() {
    return loader.equals(ANY) ? prefix : prefix + '@' + loader;
  }
}
