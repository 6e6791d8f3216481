/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An application that a container deploys in a separate loader, with its own copy of Netty. It is
 * well-behaved: its threads end, and it leaves no thread-locals of Netty in the container's
 * threads.
 *
 * <p>Commands: {@code class} (class of its buffers), {@code request} (a request on the calling
 * thread; returns the number of buffers that it took), {@code workers} (starts some threads),
 * {@code leak} (buffers that are not released), {@code keep} (buffers that are in use as long as
 * the application is deployed), {@code channels} (a server and connections, which end).
 */
public final class WebApplication implements Function<String, Object> {
  private static final int LEAKS = 40;
  private static final int LEAKED_BYTES = 64 << 10;

  private final ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
  private final ByteBufAllocator adaptive = new AdaptiveByteBufAllocator();
  private final List<ByteBuf> kept = new ArrayList<>();

  @Override
  public Object apply(String command) {
    try {
      return switch (command) {
        case "class" -> bufferClass();
        case "request" -> request();
        case "workers" -> workers();
        case "leak" -> leak();
        case "keep" -> keep();
        case "channels" -> channels();
        default -> throw new IllegalArgumentException(command);
      };
    } finally {
      FastThreadLocal.removeAll(); // otherwise Netty itself would keep the loader
    }
  }

  private void send(String command) {
    Object unused = apply(command);
  }

  private String bufferClass() {
    ByteBuf buffer = pooled.directBuffer(64);
    ByteBuf bare = buffer;
    while (bare.unwrap() != null) {
      bare = bare.unwrap();
    }
    buffer.release();
    return bare.getClass().getName();
  }

  private String request() {
    int buffers = 0;
    for (ByteBufAllocator allocator : List.of(pooled, adaptive)) {
      List<ByteBuf> out = new ArrayList<>();
      for (int size = 16; size <= 6 << 20; size *= 3) {
        out.add(allocator.directBuffer(size).writeInt(size));
      }
      for (int size = 16; size <= 1 << 20; size *= 3) {
        out.add(allocator.heapBuffer(size).writeInt(size));
      }
      for (ByteBuf buffer : out) {
        ByteBuf slice = buffer.retainedSlice(0, 4);
        int size = slice.readInt();
        slice.release();
        if (buffer.capacity() < size) {
          throw new IllegalStateException("content lost: " + size);
        }
        buffer.release();
        buffers++;
      }
    }
    return String.valueOf(buffers);
  }

  private String workers() {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(() -> send("request"), "worker-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
    return "";
  }

  private String leak() {
    for (int i = 0; i < LEAKS; i++) {
      pooled.directBuffer(LEAKED_BYTES).writeInt(i);
    }
    return "";
  }

  private String keep() {
    kept.add(pooled.directBuffer(1 << 20));
    kept.add(pooled.heapBuffer(1 << 10));
    return "";
  }

  private String channels() {
    try (ChannelLoad channels = new ChannelLoad()) {
      if (!channels.isEchoed(new SplittableRandom(1))) {
        throw new IllegalStateException("content of a frame lost");
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    try { // its thread outlives the event loops by a second
      boolean unused = GlobalEventExecutor.INSTANCE.awaitInactivity(30, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
    return "";
  }
}
