/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Locale;

/**
 * Tells which threads are outside of the engine, without any help from those threads.
 *
 * <p>The proof holds for HotSpot only (docs/decisions/0007-idle-caches-are-revoked.md): there, the
 * stack traces of other threads are taken while these threads cannot run Java code, and order what
 * the caller wrote before ahead of what the threads read after. A thread that stands in a native
 * method has, in addition, nothing read in advance: no compiler moves a read across a call that it
 * cannot see into.
 *
 * <p>All traces of a call are taken in one safepoint. {@link Thread#getStackTrace} would cost one
 * for each thread on JDK 17.
 */
final class QuiescenceCheck {
  /** A VM may cut stack traces; that this many frames are shown has been tried. */
  private static final int MAX_FRAMES = 256;

  private static final String ENGINE = QuiescenceCheck.class.getPackageName() + ".";

  /** Whether this JVM is one that the proof is about. */
  static final boolean PROVABLE = isHotSpot() && framesShown(MAX_FRAMES) > MAX_FRAMES;

  private QuiescenceCheck() {}

  /**
   * Returns for each of {@code threads} whether it sleeps or waits in a native method that no
   * method of the engine has called. For those, everything that the calling thread wrote before is
   * seen by the first that the thread does next, and everything that the thread has done is seen by
   * the calling thread. False where it cannot be told.
   */
  static boolean[] areOutside(Thread[] threads) {
    boolean[] outside = new boolean[threads.length];
    if (PROVABLE) {
      long[] ids = new long[threads.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = threads[i].getId();
      }
      try {
        ThreadInfo[] infos = ManagementFactory.getThreadMXBean().getThreadInfo(ids, MAX_FRAMES + 1);
        for (int i = 0; i < ids.length; i++) {
          ThreadInfo info = infos[i];
          outside[i] = info != null && hasOwnId(threads[i]) && isOutside(info.getStackTrace());
        }
      } catch (SecurityException | IllegalArgumentException | LinkageError notAllowed) {
        Arrays.fill(outside, false); // or an id of a thread's own, or no module java.management
      }
    }
    return outside;
  }

  /**
   * Returns whether the engine's method that calls this was called, however indirectly, by another
   * method of the engine: then its thread may be using its cache.
   */
  static boolean isCallerInside() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .skip(3) // this method, and tryFreeOne of Upkeep and of BufferPool
                    .anyMatch(frame -> frame.getClassName().startsWith(ENGINE)));
  }

  private static boolean isOutside(StackTraceElement[] frames) {
    if (frames.length == 0 || frames.length > MAX_FRAMES || !frames[0].isNativeMethod()) {
      return false;
    }
    for (StackTraceElement frame : frames) {
      if (frame.getClassName().startsWith(ENGINE)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the thread's id is the JVM's: a subclass may return another thread's. */
  private static boolean hasOwnId(Thread thread) {
    if (thread.getClass() == Thread.class) {
      return true;
    }
    try {
      return thread.getClass().getMethod("getId").getDeclaringClass() == Thread.class;
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
