/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.io.File;

/** The forms that a setting's value can have. */
enum Form {
  MODE("swap, observe or off"),
  PERCENT("a number from 1 to 100"),
  PATTERNS("patterns like io.netty, io.grpc.* or *@app, with : between them, or none"),
  ADDRESS("host:port with a port from 0 to 65535, or none"),
  STATS_DIRECTORY("auto, a directory that is there or can be made, or none"),
  FILE("a readable file, or none"),
  NEW_DIRECTORY("a directory that is there or can be made, or none"),
  LEVEL("disabled, simple, advanced or paranoid"),
  INTERVAL("a power of two from 1 to 1073741824"),
  SITES("a number from 0 to 21, to stay within the budget of 300 series"),
  NAME("1 to 100 printable characters without a comma"),
  BYTES_OR_ZERO("0, or bytes from 1k to 1g; k, m and g multiply"),
  COUNT_OR_ZERO("a number from 0 to 1024"),
  CHUNK("a power of two from 128k to 64m; k, m and g multiply"),
  FILE_BYTES("bytes from 512k to 4m; k and m multiply"),
  PERIOD("a number from 100 to 60000"),
  COUNT("a number from 1 to 86400000"),
  WAIT("a number from 0 to 60000"),
  DETAIL("none, arenas, sizes or all"),
  SERIES("a number from 300 to 100000"),
  FLAG("true or false");

  /** Of one pattern, in words. */
  static final String PATTERN_WORDS =
      "a pattern like io.netty, io.grpc.* or *@app: package prefix, and perhaps @ and the loader";

  private static final long MAX_PERCENT = 100;
  private static final int MAX_NAME = 100;
  private static final int MAX_PORT = 65_535;
  private static final long MAX_ARENAS = 1024;
  private static final long MAX_INTERVAL = 1L << 30;
  private static final long MAX_SITES = 21;
  private static final long MIN_SERIES = 300;
  private static final long MAX_SERIES = 100_000;
  private static final long MIN_PERIOD_MILLIS = 100;
  private static final long MAX_WAIT_MILLIS = 60_000;
  private static final long MAX_MILLIS = 86_400_000;

  private final String allowed;

  Form(String allowed) {
    this.allowed = allowed;
  }

  String allowed() {
    return allowed;
  }

  boolean accepts(String value) {
    return switch (this) {
      case MODE -> value.equals("swap") || value.equals("observe") || value.equals("off");
      case PERCENT -> within(number(value), 1, MAX_PERCENT);
      case PATTERNS -> CopyPattern.isList(value);
      case ADDRESS -> value.equals("none") || isAddress(value);
      case STATS_DIRECTORY ->
          value.equals("auto") || value.equals("none") || isDirectoryOrNothing(new File(value));
      case FILE -> value.equals("none") || new File(value).canRead();
      case NEW_DIRECTORY -> value.equals("none") || isDirectoryOrNothing(new File(value));
      case LEVEL -> level(value) >= 0;
      case INTERVAL -> within(number(value), 1, MAX_INTERVAL) && Long.bitCount(number(value)) == 1;
      case SITES -> within(number(value), 0, MAX_SITES);
      case NAME -> isName(value);
      case BYTES_OR_ZERO -> value.equals("0") || within(bytes(value), 1 << 10, 1 << 30);
      case COUNT_OR_ZERO -> within(number(value), 0, MAX_ARENAS);
      case CHUNK -> within(bytes(value), 128 << 10, 64 << 20) && Long.bitCount(bytes(value)) == 1;
      case FILE_BYTES -> within(bytes(value), 512 << 10, 4 << 20);
      case PERIOD -> within(number(value), MIN_PERIOD_MILLIS, MAX_WAIT_MILLIS);
      case COUNT -> within(number(value), 1, MAX_MILLIS);
      case DETAIL -> detail(value) >= 0;
      case SERIES -> within(number(value), MIN_SERIES, MAX_SERIES);
      case FLAG -> value.equals("true") || value.equals("false");
      case WAIT -> within(number(value), 0, MAX_WAIT_MILLIS);
    };
  }

  private static boolean within(long number, long least, long most) {
    return number >= least && number <= most;
  }

  private static boolean isDirectoryOrNothing(File file) {
    return !file.getPath().isEmpty() && (file.isDirectory() || !file.exists());
  }

  /** The place of a level among the levels; -1 for what is none. */
  static int level(String value) {
    return switch (value) {
      case "disabled" -> 0;
      case "simple" -> 1;
      case "advanced" -> 2;
      case "paranoid" -> 3;
      default -> -1;
    };
  }

  /** The place of a detail among the details; -1 for what is none. */
  static int detail(String value) {
    return switch (value) {
      case "none" -> 0;
      case "arenas" -> 1;
      case "sizes" -> 2;
      case "all" -> 3;
      default -> -1;
    };
  }

  private static boolean isAddress(String value) {
    int colon = value.lastIndexOf(':');
    return colon > 0 && within(number(value.substring(colon + 1)), 0, MAX_PORT);
  }

  private static boolean isName(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) == ',') {
        return false;
      }
    }
    return !value.isEmpty() && value.length() <= MAX_NAME;
  }

  /** Digits only; -1 for anything else. */
  static long number(String value) {
    if (value.isEmpty() || value.length() > 18) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < value.length(); i++) {
      char digit = value.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      number = number * 10 + (digit - '0');
    }
    return number;
  }

  /** Digits and perhaps k, m or g; -1 for anything else. */
  static long bytes(String value) {
    if (value.isEmpty()) {
      return -1;
    }
    int unit = "kmg".indexOf(Character.toLowerCase(value.charAt(value.length() - 1)));
    if (unit < 0) {
      return number(value);
    }
    long number = number(value.substring(0, value.length() - 1));
    int shift = 10 * (unit + 1);
    return number < 0 || number > Long.MAX_VALUE >>> shift ? -1 : number << shift;
  }
}
