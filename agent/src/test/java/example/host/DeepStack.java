/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

/** An application that calls itself before it does its work. */
public final class DeepStack {
  private DeepStack() {}

  /** Runs {@code task} so many calls further down. */
  public static void run(int depth, Runnable task) {
    if (depth > 0) {
      run(depth - 1, task);
    } else {
      task.run();
    }
  }
}
