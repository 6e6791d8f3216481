/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import dev.cistern.exporter.push.PushOptions;
import java.io.File;
import java.util.Arrays;
import java.util.List;

/**
 * The values that a setting accepts.
 *
 * @param kind form of a value that is not one of the words
 * @param range accepted values, as messages name them
 * @param words literal values that are accepted
 * @param min smallest number
 * @param max largest number
 */
record ValueType(Kind kind, String range, List<String> words, long min, long max) {
  /** Form of a value. */
  enum Kind {
    WORD,
    NUMBER,
    BYTES,
    POWER_OF_TWO,
    BYTES_POWER_OF_TWO,
    DETAILS,
    PATTERNS,
    ADDRESS,
    FILE,
    DIRECTORY,
    ABSOLUTE_PATH,
    NAME,
    HEADER_TEXT,
    URL
  }

  private static final List<String> LEVELS = List.of("disabled", "simple", "advanced", "paranoid");
  private static final List<String> DETAILS =
      List.of("none", "internals", "arenas", "sizes", "all");
  private static final int MAX_NAME = 100;
  private static final int MAX_PORT = 65_535;

  static final ValueType MODE = words(List.of("swap", "observe", "off"));
  static final ValueType LEVEL = words(LEVELS);
  static final ValueType DETAIL =
      other(Kind.DETAILS, "none, all, or of internals, arenas, sizes with + between them");
  static final ValueType SWITCH = words(List.of("off", "on"));
  static final ValueType FLAG = words(List.of("true", "false"));
  static final ValueType CONTROL = words(List.of("file", "sidecar", "none"));
  static final ValueType ABSOLUTE_OR_AUTO =
      other(Kind.ABSOLUTE_PATH, "an absolute path, or auto", "auto");
  static final ValueType SITES = number(0, 32);
  static final ValueType PATTERNS =
      other(Kind.PATTERNS, "patterns such as io.netty:io.grpc.*:*@app, or none");
  static final ValueType ADDRESS =
      other(Kind.ADDRESS, "host:port with a port from 0 to 65535, or none", "none");
  static final ValueType FILE = other(Kind.FILE, "a readable file, or none", "none");
  static final ValueType DIRECTORY =
      other(Kind.DIRECTORY, "an existing or new directory, or none", "none");
  static final ValueType DIRECTORY_OR_AUTO =
      other(Kind.DIRECTORY, "an existing or new directory, auto or none", "auto", "none");
  static final ValueType NAME =
      other(Kind.NAME, "1 to " + MAX_NAME + " printable characters without a comma");

  static final ValueType HEADER_TEXT =
      other(
          Kind.HEADER_TEXT,
          "1 to " + MAX_NAME + " visible ASCII characters without a comma or colon, or none",
          "none");
  static final ValueType URL =
      other(Kind.URL, "http://host:port, https://host:port, or none", "none");

  private static ValueType words(List<String> words) {
    int last = words.size() - 1;
    String range = String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    return new ValueType(Kind.WORD, range, words, 0, 0);
  }

  private static ValueType other(Kind kind, String range, String... words) {
    return new ValueType(kind, range, Arrays.asList(words), 0, 0);
  }

  static ValueType number(long min, long max) {
    return range(Kind.NUMBER, "a number from " + min + " to " + max, min, max);
  }

  static ValueType powerOfTwo(long min, long max) {
    return range(Kind.POWER_OF_TWO, "a power of two from " + min + " to " + max, min, max);
  }

  static ValueType bytes(String min, String max) {
    String range = "bytes from " + min + " to " + max + "; suffixes k, m, g";
    return range(Kind.BYTES, range, bytes(min), bytes(max));
  }

  static ValueType bytesPowerOfTwo(String min, String max) {
    String range = "a power of two from " + min + " to " + max + "; suffixes k, m, g";
    return range(Kind.BYTES_POWER_OF_TWO, range, bytes(min), bytes(max));
  }

  private static ValueType range(Kind kind, String range, long min, long max) {
    return new ValueType(kind, range, List.of(), min, max);
  }

  /** Returns a type that also accepts 0. */
  ValueType orZero() {
    return new ValueType(kind, "0, or " + range, List.of("0"), min, max);
  }

  boolean accepts(String value) {
    return words.contains(value)
        || switch (kind) {
          case WORD -> false;
          case NUMBER -> isWithin(number(value));
          case BYTES -> isWithin(bytes(value));
          case POWER_OF_TWO -> isWithin(number(value)) && Long.bitCount(number(value)) == 1;
          case BYTES_POWER_OF_TWO -> isWithin(bytes(value)) && Long.bitCount(bytes(value)) == 1;
          case DETAILS -> DETAILS.containsAll(Arrays.asList(value.split("\\+", -1)));
          case PATTERNS -> CopyPattern.list(value) != null;
          case ADDRESS -> isAddress(value);
          case FILE -> new File(value).canRead();
          case DIRECTORY -> isDirectoryOrAbsent(new File(value));
          case ABSOLUTE_PATH -> new File(value).isAbsolute();
          case NAME -> isName(value);
          case HEADER_TEXT -> isHeaderText(value);
          case URL -> PushOptions.isEndpoint(value);
        };
  }

  private boolean isWithin(long number) {
    return number >= min && number <= max;
  }

  private static boolean isDirectoryOrAbsent(File file) {
    return !file.getPath().isEmpty() && (file.isDirectory() || !file.exists());
  }

  private static boolean isAddress(String value) {
    int colon = value.lastIndexOf(':');
    long port = number(value.substring(colon + 1));
    return colon > 0 && port >= 0 && port <= MAX_PORT;
  }

  private static boolean isName(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) == ',') {
        return false;
      }
    }
    return !value.isEmpty() && value.length() <= MAX_NAME;
  }

  private static boolean isHeaderText(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c <= ' ' || c > '~' || c == ',' || c == ':') {
        return false;
      }
    }
    return !value.isEmpty() && value.length() <= MAX_NAME;
  }

  /** Returns the index of a leak level, or -1. */
  static int level(String value) {
    return LEVELS.indexOf(value);
  }

  /** Returns the value of up to 18 digits, or -1 for any other text. */
  static long number(String value) {
    long number = value.isEmpty() || value.length() > 18 ? -1 : 0;
    for (int i = 0; i < value.length() && number >= 0; i++) {
      int digit = value.charAt(i) - '0';
      number = digit < 0 || digit > 9 ? -1 : number * 10 + digit;
    }
    return number;
  }

  /** Returns the value of digits with an optional suffix k, m or g, or a negative number. */
  static long bytes(String value) {
    int last = value.length() - 1;
    int unit = last < 0 ? -1 : "kmg".indexOf(Character.toLowerCase(value.charAt(last)));
    long number = number(unit < 0 ? value : value.substring(0, last));
    int shift = 10 * (unit + 1);
    return number > Long.MAX_VALUE >>> shift ? -1 : number << shift;
  }
}
