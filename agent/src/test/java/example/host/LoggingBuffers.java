/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A host whose logging framework allocates the first buffer of the JVM, in a class initialiser. A
 * thread that initialises a logging class of Netty waits for that initialiser, while the buffer's
 * thread waits for that class.
 */
public final class LoggingBuffers {
  private static final long LIMIT_SECONDS = 30;

  private LoggingBuffers() {}

  /** A class of the logging framework, whose initialiser allocates a buffer. */
  private static final class Appender {
    static final String BUFFER_TYPE;

    static {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(100);
      ByteBuf bare = buffer;
      while (bare.unwrap() != null) {
        bare = bare.unwrap(); // below a leak-aware wrapper
      }
      BUFFER_TYPE = bare.getClass().getName();
      buffer.release();
    }
  }

  /** Loggers that need the appender once the framework is in use. */
  private static final class Loggers extends InternalLoggerFactory {
    static volatile boolean isUsed;

    @Override
    protected InternalLogger newInstance(String name) {
      if (isUsed) {
        String unused = Appender.BUFFER_TYPE;
      }
      return ((JdkLoggerFactory) JdkLoggerFactory.INSTANCE).newInstance(name);
    }
  }

  public static void main(String[] arguments) throws Exception {
    InternalLoggerFactory.setDefaultFactory(new Loggers());
    FirstBuffers.awaitGate(PooledByteBufAllocator.DEFAULT);
    CountDownLatch done = new CountDownLatch(1);
    Thread logging =
        new Thread(
            () -> {
              Loggers.isUsed = true;
              System.out.println("buffer " + Appender.BUFFER_TYPE);
              done.countDown();
            });
    logging.setDaemon(true);
    logging.start();
    boolean ended = done.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    System.out.println(ended ? "done" : "the logging framework hangs");
    System.exit(ended ? 0 : 1);
  }
}
