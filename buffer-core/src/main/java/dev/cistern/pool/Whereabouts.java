/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.util.Locale;

/**
 * Tells whether a thread is outside of the engine, without any help from that thread.
 *
 * <p>The proof holds for HotSpot only (docs/decisions/0007-idle-caches-are-revoked.md): there, a
 * stack trace of another thread is taken while that thread cannot run Java code, and orders what
 * the caller wrote before it ahead of what the thread reads after it. A thread that stands in a
 * native method has, in addition, nothing read in advance: no compiler moves a read across a call
 * that it cannot see into.
 */
final class Whereabouts {
  /** A VM may cut stack traces; that this many frames are shown has been tried. */
  private static final int MOST_FRAMES = 256;

  private static final String ENGINE = Whereabouts.class.getPackageName() + ".";

  /** Whether this JVM is one that the proof is about. */
  static final boolean PROVABLE = isHotSpot() && framesShown(MOST_FRAMES) > MOST_FRAMES;

  private Whereabouts() {}

  /**
   * Whether {@code thread} sleeps or waits in a native method that no method of the engine has
   * called. Where the answer is yes, everything that the calling thread wrote before is seen by the
   * first that {@code thread} does next, and everything that {@code thread} has done is seen by the
   * calling thread. False where it cannot be told.
   */
  static boolean isOutside(Thread thread) {
    if (!PROVABLE || thread == Thread.currentThread() || !tellsTheTruth(thread)) {
      return false;
    }
    StackTraceElement[] frames;
    try {
      frames = thread.getStackTrace();
    } catch (SecurityException notAllowed) {
      return false;
    }
    if (frames.length == 0 || frames.length > MOST_FRAMES || !frames[0].isNativeMethod()) {
      return false;
    }
    for (StackTraceElement frame : frames) {
      if (frame.getClassName().startsWith(ENGINE)) {
        return false;
      }
    }
    return true;
  }

  /** A subclass may return any stack trace it likes. */
  private static boolean tellsTheTruth(Thread thread) {
    try {
      return thread.getClass().getMethod("getStackTrace").getDeclaringClass() == Thread.class;
    } catch (ReflectiveOperationException | LinkageError | SecurityException unknown) {
      return false;
    }
  }

  private static boolean isHotSpot() {
    String name = System.getProperty("java.vm.name", "").toLowerCase(Locale.ROOT);
    return name.startsWith("openjdk ") || name.startsWith("java hotspot(tm) ");
  }

  /** How many of this thread's frames a stack trace has, once there are {@code more} of them. */
  private static int framesShown(int more) {
    return more == 0 ? new Throwable().getStackTrace().length : framesShown(more - 1);
  }
}
