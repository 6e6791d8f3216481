/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * An application that leaves a buffer to a finalizer, which passes it to the finalizer of another
 * object, and so on. Each finalizer uses the buffer, and the last one releases it. {@link
 * Undeployed} controls the progress by system properties.
 */
public final class LateFinalizer implements Function<String, Object> {
  static final int ROUNDS = 3;

  /** System property with the round whose finalizer runs. */
  static final String BEGUN = "example.finalizer.begun";

  /** System property with the last round that may end. */
  static final String MAY_END = "example.finalizer.mayEnd";

  private static final int BYTES = 1 << 20;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  @Override
  public Object apply(String command) {
    try {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
      String type = Bare.className(buffer);
      if (command.equals("class")) {
        buffer.release();
      } else {
        leave(fill(buffer), 1);
      }
      return type;
    } finally {
      FastThreadLocal.removeAll(); // otherwise Netty itself would keep the loader
    }
  }

  private static ByteBuf fill(ByteBuf buffer) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      buffer.setLong(i, i);
    }
    return buffer;
  }

  private static void leave(ByteBuf buffer, int round) {
    Object unused = new Holder(buffer, round);
  }

  private static final class Holder {
    private final ByteBuf buffer;
    private final int round;

    Holder(ByteBuf buffer, int round) {
      this.buffer = buffer;
      this.round = round;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize"}) // hosts use finalizers
    protected void finalize() {
      System.setProperty(BEGUN, String.valueOf(round));
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (Integer.getInteger(MAY_END, 0) < round && System.nanoTime() - deadline < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      try {
        use();
      } catch (Throwable failed) {
        System.out.println("finalizer " + round + " failed: " + failed);
      }
    }

    private void use() {
      for (int i = 0; i < buffer.capacity(); i += Long.BYTES) {
        if (buffer.getLong(i) != i) {
          throw new IllegalStateException("at " + i + ": " + buffer.getLong(i));
        }
      }
      System.out.println("finalizer " + round + " has read its buffer");
      if (round < ROUNDS) {
        leave(fill(buffer), round + 1);
        return;
      }
      System.out.println("released " + buffer.release());
      try {
        System.out.println("released twice " + buffer.release());
      } catch (IllegalReferenceCountException refused) {
        System.out.println("released once");
      }
    }
  }
}
