/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.leaky;

import java.util.function.Supplier;

/** Many allocation sites, each on another line. */
public final class Sites {
  /** Number of sites. */
  public static final int COUNT = 110;

  private Sites() {}

  /** Calls {@code allocation} from the line of {@code site}. */
  public static <T> T at(int site, Supplier<T> allocation) {
    return switch (site) {
      case 0 -> allocation.get();
      case 1 -> allocation.get();
      case 2 -> allocation.get();
      case 3 -> allocation.get();
      case 4 -> allocation.get();
      case 5 -> allocation.get();
      case 6 -> allocation.get();
      case 7 -> allocation.get();
      case 8 -> allocation.get();
      case 9 -> allocation.get();
      case 10 -> allocation.get();
      case 11 -> allocation.get();
      case 12 -> allocation.get();
      case 13 -> allocation.get();
      case 14 -> allocation.get();
      case 15 -> allocation.get();
      case 16 -> allocation.get();
      case 17 -> allocation.get();
      case 18 -> allocation.get();
      case 19 -> allocation.get();
      case 20 -> allocation.get();
      case 21 -> allocation.get();
      case 22 -> allocation.get();
      case 23 -> allocation.get();
      case 24 -> allocation.get();
      case 25 -> allocation.get();
      case 26 -> allocation.get();
      case 27 -> allocation.get();
      case 28 -> allocation.get();
      case 29 -> allocation.get();
      case 30 -> allocation.get();
      case 31 -> allocation.get();
      case 32 -> allocation.get();
      case 33 -> allocation.get();
      case 34 -> allocation.get();
      case 35 -> allocation.get();
      case 36 -> allocation.get();
      case 37 -> allocation.get();
      case 38 -> allocation.get();
      case 39 -> allocation.get();
      case 40 -> allocation.get();
      case 41 -> allocation.get();
      case 42 -> allocation.get();
      case 43 -> allocation.get();
      case 44 -> allocation.get();
      case 45 -> allocation.get();
      case 46 -> allocation.get();
      case 47 -> allocation.get();
      case 48 -> allocation.get();
      case 49 -> allocation.get();
      case 50 -> allocation.get();
      case 51 -> allocation.get();
      case 52 -> allocation.get();
      case 53 -> allocation.get();
      case 54 -> allocation.get();
      case 55 -> allocation.get();
      case 56 -> allocation.get();
      case 57 -> allocation.get();
      case 58 -> allocation.get();
      case 59 -> allocation.get();
      case 60 -> allocation.get();
      case 61 -> allocation.get();
      case 62 -> allocation.get();
      case 63 -> allocation.get();
      case 64 -> allocation.get();
      case 65 -> allocation.get();
      case 66 -> allocation.get();
      case 67 -> allocation.get();
      case 68 -> allocation.get();
      case 69 -> allocation.get();
      case 70 -> allocation.get();
      case 71 -> allocation.get();
      case 72 -> allocation.get();
      case 73 -> allocation.get();
      case 74 -> allocation.get();
      case 75 -> allocation.get();
      case 76 -> allocation.get();
      case 77 -> allocation.get();
      case 78 -> allocation.get();
      case 79 -> allocation.get();
      case 80 -> allocation.get();
      case 81 -> allocation.get();
      case 82 -> allocation.get();
      case 83 -> allocation.get();
      case 84 -> allocation.get();
      case 85 -> allocation.get();
      case 86 -> allocation.get();
      case 87 -> allocation.get();
      case 88 -> allocation.get();
      case 89 -> allocation.get();
      case 90 -> allocation.get();
      case 91 -> allocation.get();
      case 92 -> allocation.get();
      case 93 -> allocation.get();
      case 94 -> allocation.get();
      case 95 -> allocation.get();
      case 96 -> allocation.get();
      case 97 -> allocation.get();
      case 98 -> allocation.get();
      case 99 -> allocation.get();
      case 100 -> allocation.get();
      case 101 -> allocation.get();
      case 102 -> allocation.get();
      case 103 -> allocation.get();
      case 104 -> allocation.get();
      case 105 -> allocation.get();
      case 106 -> allocation.get();
      case 107 -> allocation.get();
      case 108 -> allocation.get();
      case 109 -> allocation.get();
      default -> throw new IllegalArgumentException("site: " + site + " (expected: 0 to 109)");
    };
  }

  /** Returns the name of a site in a report. */
  public static String name(int site) {
    StackTraceElement frame =
        at(
            site,
            () ->
                StackWalker.getInstance()
                    .walk(frames -> frames.filter(Sites::isAt).findFirst().orElseThrow())
                    .toStackTraceElement());
    return frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
  }

  private static boolean isAt(StackWalker.StackFrame frame) {
    return frame.getMethodName().equals("at");
  }
}
