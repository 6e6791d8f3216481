/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/**
 * Views of native memory that throw an {@link IllegalStateException} once the memory is freed, as
 * those of Netty 4.2 do on JDK 25. Each view is bound to an arena of {@code java.lang.foreign}.
 * This class uses reflection, because JDK 17 lacks that package. The agent opens {@code
 * jdk.internal.foreign}, because the public method needs native access, which only the host can
 * grant.
 */
final class BoundViews {
  private final Method open;
  private final Method scope;
  private final Method segment;
  private final Method view;

  /**
   * @throws ReflectiveOperationException if this JDK has other methods
   */
  BoundViews() throws ReflectiveOperationException {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    open = arenas.getMethod("ofShared");
    scope = arenas.getMethod("scope");
    segment =
        Class.forName("jdk.internal.foreign.SegmentFactories")
            .getMethod(
                "makeNativeSegmentUnchecked",
                long.class,
                long.class,
                Class.forName("jdk.internal.foreign.MemorySessionImpl"));
    view = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
    AutoCloseable arena = open();
    ByteBuffer unused = view(arena, Long.BYTES, 0); // fails here if the package is not open
    close(arena);
  }

  /** Returns a new arena, to which views can be bound. */
  AutoCloseable open() {
    return (AutoCloseable) ReflectiveCalls.invoke(open, null);
  }

  /** Returns a view of memory that is valid until its arena is closed. */
  ByteBuffer view(AutoCloseable arena, long address, int bytes) {
    Object bound =
        ReflectiveCalls.invoke(
            segment, null, address, (long) bytes, ReflectiveCalls.invoke(scope, arena));
    return (ByteBuffer) ReflectiveCalls.invoke(view, bound);
  }

  /**
   * Ends the views of an arena.
   *
   * @throws IllegalStateException if the JVM is reading or writing one of them
   */
  static void close(AutoCloseable arena) {
    try {
      arena.close();
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception impossible) {
      throw new IllegalStateException("cannot close an arena", impossible);
    }
  }
}
