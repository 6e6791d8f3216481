/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.leaky;

import java.util.function.Supplier;

/** Frames that look like an application's, which call functions of the tests. */
public final class Application {
  private Application() {}

  /** Calls {@code allocation} at the first site. */
  public static <T> T handleRequest(Supplier<T> allocation) {
    return allocation.get();
  }

  /** Calls {@code allocation} at the second site. */
  public static <T> T writeResponse(Supplier<T> allocation) {
    return allocation.get();
  }

  /** Calls {@code allocation} below {@code depth} more frames. */
  public static <T> T recurse(int depth, Supplier<T> allocation) {
    return depth == 0 ? allocation.get() : recurse(depth - 1, allocation);
  }
}
