/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

/**
 * A program that prints how many bytes of stack a check of {@link StackRoom} needs. It is run with
 * {@link #descend} excluded from compilation, so that the frames of that method never change.
 */
final class StackProbe {
  private static final int STACK_BYTES = 1 << 20;

  private final boolean isChecked;
  private int deepest;

  private StackProbe(boolean isChecked) {
    this.isChecked = isChecked;
  }

  /** Argument: the number of checks before the measurement. */
  public static void main(String[] arguments) throws InterruptedException {
    for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
      StackRoom.require();
    }
    Thread thread = new Thread(null, StackProbe::print, "probe", STACK_BYTES);
    thread.start();
    thread.join();
  }

  private static void print() {
    int all = new StackProbe(false).depth();
    int checked = new StackProbe(true).depth();
    System.out.println((all - checked) * (long) STACK_BYTES / all);
  }

  /** Returns at how many frames of {@link #descend} the stack ends. */
  private int depth() {
    try {
      descend(0);
    } catch (StackOverflowError end) {
      return deepest;
    }
    throw new AssertionError("a stack without end");
  }

  private int descend(int frames) {
    if (isChecked) {
      StackRoom.require();
    }
    deepest = frames;
    return frames < 0 ? 0 : 1 + descend(frames + 1);
  }
}
