/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An application of Netty's buffers that has no reference to Cistern. It prints to stdout which
 * classes of buffers it got, in lines that begin with {@code class}, and how the buffers behaved,
 * in all other lines.
 */
public final class Host {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Host() {}

  /**
   * Uses every kind of allocator.
   *
   * @param arguments {@code swap}: wait until the pool serves; {@code wait=n}: keep allocating for
   *     n milliseconds; {@code until=text} and a file: keep allocating until the file contains the
   *     text
   */
  @SuppressWarnings("deprecation") // the shortest constructor with numbers of arenas
  public static void main(String[] arguments) throws Exception {
    List<ByteBufAllocator> allocators = new ArrayList<>();
    allocators.add(PooledByteBufAllocator.DEFAULT);
    allocators.add(new PooledByteBufAllocator(true));
    allocators.add(new AdaptiveByteBufAllocator());
    allocators.add(new PooledByteBufAllocator(true, 0, 0, 8192, 9));
    allocators.add(new PooledByteBufAllocator(true, 1, 0, 8192, 9));
    allocators.add(new UnpooledByteBufAllocator(true));
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      if (argument.equals("swap")) {
        waitFor(allocators.get(0), PATIENCE_NANOS);
        waitFor(allocators.get(2), PATIENCE_NANOS);
      } else if (argument.startsWith("wait=")) {
        waitFor(
            allocators.get(0),
            TimeUnit.MILLISECONDS.toNanos(Long.parseLong(argument.substring(5))));
      } else if (argument.startsWith("until=")) {
        i++;
        waitForText(allocators.get(0), Path.of(arguments[i]), argument.substring(6));
      }
    }
    for (ByteBufAllocator allocator : allocators) {
      System.out.println("allocator " + allocator.getClass().getSimpleName());
      use(allocator, allocator.directBuffer(100, 1 << 20));
      use(allocator, allocator.heapBuffer(100, 1 << 20));
    }
    ByteBuf large = allocators.get(0).directBuffer(20 << 20);
    System.out.println("class used " + PlatformDependent.usedDirectMemory());
    large.release();
    passBetweenThreads(allocators.get(0));
    System.out.println("done");
  }

  private static void waitFor(ByteBufAllocator allocator, long nanos) {
    long deadline = System.nanoTime() + nanos;
    while (System.nanoTime() < deadline) {
      ByteBuf buffer = allocator.directBuffer(16);
      boolean foreign = bare(buffer).getClass().getName().startsWith("dev.cistern.");
      buffer.release();
      if (foreign) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static void waitForText(ByteBufAllocator allocator, Path file, String text)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline && !Files.readString(file).contains(text)) {
      allocator.directBuffer(16).release();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private static ByteBuf bare(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare.unwrap() != null) {
      bare = bare.unwrap();
    }
    return bare;
  }

  private static void use(ByteBufAllocator allocator, ByteBuf buffer) {
    System.out.println("class " + bare(buffer).getClass().getName());
    System.out.println("alloc " + (buffer.alloc() == allocator) + " count " + buffer.refCnt());
    System.out.println(
        "direct "
            + buffer.isDirect()
            + " array "
            + buffer.hasArray()
            + " address "
            + buffer.hasMemoryAddress()
            + " parts "
            + buffer.nioBufferCount());
    for (int i = 0; i < 5_000; i++) {
      buffer.writeInt(i * 31).writeLongLE(i).writeMedium(i);
    }
    System.out.println("capacity " + (buffer.capacity() >= 75_000) + " hash " + buffer.hashCode());
    buffer.writeCharSequence("\u00fcber", StandardCharsets.UTF_8);
    System.out.println(
        "read " + buffer.readInt() + buffer.readLongLE() + buffer.readUnsignedMedium());
    buffer.discardReadBytes();
    ByteBuf slice = buffer.retainedSlice(15, 30);
    ByteBuf duplicate = slice.retainedDuplicate();
    ByteBuf nested = duplicate.readRetainedSlice(15);
    System.out.println("slices " + slice.getInt(0) + " " + nested.readInt());
    System.out.println(
        "slices released " + nested.release() + duplicate.release() + slice.release());
    ByteBuf copy = buffer.copy(0, 100);
    System.out.println("copy " + (copy.alloc() == allocator) + copy.equals(buffer.slice(0, 100)));
    copy.release();
    System.out.println("nio " + buffer.nioBuffer(0, 60).hashCode());
    buffer.capacity(50);
    System.out.println("shrunk " + buffer.writerIndex() + " " + buffer.getMedium(12));
    System.out.println("released " + buffer.release() + " " + buffer.refCnt());
    System.out.println(
        "again " + refusal(buffer::release) + " " + refusal(() -> buffer.getByte(0)));
  }

  private static String refusal(Runnable use) {
    try {
      use.run();
      return "allowed";
    } catch (RuntimeException refused) {
      return refused.getClass().getName();
    }
  }

  private static void passBetweenThreads(ByteBufAllocator allocator) throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      List<ByteBuf> made = new ArrayList<>();
      Thread maker =
          new Thread(
              () -> {
                for (int i = 0; i < 500; i++) {
                  made.add(allocator.directBuffer(64 + i * 7).writeInt(i));
                }
              });
      maker.start();
      maker.join();
      long sum = 0;
      for (ByteBuf buffer : made) {
        sum += buffer.readInt();
        buffer.release();
      }
      if (sum != 499 * 250) {
        System.out.println("content lost between threads: " + sum);
      }
    }
  }
}
