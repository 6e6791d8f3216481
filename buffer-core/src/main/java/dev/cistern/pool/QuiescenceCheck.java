/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Locale;

/**
 * A check whether threads are outside the engine, without any action of those threads.
 *
 * <p>The proof holds for HotSpot only (docs/internals/decisions/0007-idle-caches-are-revoked.md).
 * HotSpot takes the stack traces of other threads while these threads cannot run Java code. So the
 * earlier writes of the caller happen before the later reads of these threads. A thread in a native
 * method has also read nothing in advance: no compiler moves a read across a call that it cannot
 * inspect.
 *
 * <p>One safepoint is enough for all traces of a call. {@link Thread#getStackTrace} would cost one
 * for each thread on JDK 17.
 */
final class QuiescenceCheck {
  /** A JVM may cut stack traces: {@link #PROVABLE} checks that it reports this many frames. */
  private static final int MAX_FRAMES = 256;

  private static final String ENGINE = QuiescenceCheck.class.getPackageName() + ".";

  /** Whether the proof holds for this JVM. */
  static final boolean PROVABLE = isHotSpot() && framesShown(MAX_FRAMES) > MAX_FRAMES;

  private QuiescenceCheck() {}

  /**
   * Returns for each of {@code threads} whether it sleeps or waits in a native method that no
   * method of the engine has called. From its next step on, such a thread sees all earlier writes
   * of the calling thread, and the calling thread sees all writes of that thread. The result is
   * false for a thread that the JVM does not report.
   */
  static boolean[] areOutsideEngine(Thread[] threads) {
    boolean[] outside = new boolean[threads.length];
    if (!PROVABLE) {
      return outside;
    }
    try {
      long[] ids = Arrays.stream(threads).mapToLong(Thread::getId).toArray();
      ThreadInfo[] infos = ManagementFactory.getThreadMXBean().getThreadInfo(ids, MAX_FRAMES + 1);
      for (int i = 0; i < ids.length; i++) {
        ThreadInfo info = infos[i];
        outside[i] = info != null && hasOwnId(threads[i]) && isOutsideEngine(info.getStackTrace());
      }
      return outside;
    } catch (SecurityException | IllegalArgumentException | LinkageError notAllowed) {
      return new boolean[threads.length]; // or a subclass has another id
    }
  }

  /**
   * Returns whether another method of the engine called the calling method, directly or indirectly:
   * then the thread may be using its cache.
   */
  static boolean isCallerInside() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .skip(3) // this method, and tryFreeOne of Maintenance and of BufferPool
                    .anyMatch(frame -> frame.getClassName().startsWith(ENGINE)));
  }

  private static boolean isOutsideEngine(StackTraceElement[] frames) {
    return frames.length > 0
        && frames.length <= MAX_FRAMES
        && frames[0].isNativeMethod()
        && Arrays.stream(frames).noneMatch(frame -> frame.getClassName().startsWith(ENGINE));
  }

  /** Returns whether getId is not overridden: a subclass may return the id of another thread. */
  private static boolean hasOwnId(Thread thread) {
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

  /** Returns the frames that the JVM reports for this thread after {@code more} nested calls. */
  private static int framesShown(int more) {
    return more == 0 ? new Throwable().getStackTrace().length : framesShown(more - 1);
  }
}
