/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import dev.cistern.memory.NativeMemory;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * A host that counts the words of new buffers that are not zero, after it has filled and freed much
 * memory of the C library. It prints the numbers to stdout. Argument: {@code served} (by the
 * agent), {@code bare} or {@code library}.
 */
public final class ForeignBytes {
  private static final int MIN_BYTES = 64;
  private static final int MAX_BYTES = 16 << 20;

  private ForeignBytes() {}

  /** A buffer, with an action that reads words and one that releases it. */
  private record Content(IntToLongFunction words, Runnable release) {}

  /** Counts the words. */
  public static void main(String[] arguments) throws Exception {
    DirtyMemory memory = new DirtyMemory();
    memory.make();
    int[] sizes = sizes();
    System.out.println("malloc " + memory.foreignWords(sizes));
    if (arguments[0].equals("library")) {
      countInLibrary(sizes);
    } else {
      countInNetty(sizes, arguments[0].equals("served"));
    }
    System.out.println("malloc afterwards " + memory.foreignWords(sizes));
    System.out.println("done");
  }

  /** Powers of two, and sizes between them; small ones more often. */
  private static int[] sizes() {
    List<Integer> sizes = new ArrayList<>();
    for (int bytes = MIN_BYTES; bytes <= MAX_BYTES; bytes *= 2) {
      int count = Math.min(64, Math.max(1, (1 << 20) / bytes));
      for (int i = 0; i < count; i++) {
        sizes.add(bytes);
        sizes.add(Math.min(MAX_BYTES, bytes + bytes / 4 + 3));
      }
    }
    return sizes.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void countInLibrary(int[] sizes) {
    var pooled = new dev.cistern.buffer.PooledByteBufAllocator(true);
    var unpooled = new dev.cistern.buffer.UnpooledByteBufAllocator(true);
    System.out.println("way " + NativeMemory.way().label());
    report("pooled direct", sizes, bytes -> content(pooled.directBuffer(bytes)));
    report("pooled heap", sizes, bytes -> content(pooled.heapBuffer(bytes)));
    report("unpooled direct", sizes, bytes -> content(unpooled.directBuffer(bytes)));
    report("unpooled heap", sizes, bytes -> content(unpooled.heapBuffer(bytes)));
    for (int bytes : sizes) { // its memory may be used again while it is in quarantine
      dev.cistern.buffer.ByteBuf buffer = unpooled.directBuffer(bytes);
      for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
        buffer.setLong(at, -1);
      }
      buffer.release();
    }
    report("unpooled direct again", sizes, bytes -> content(unpooled.directBuffer(bytes)));
  }

  private static Content content(dev.cistern.buffer.ByteBuf buffer) {
    return new Content(buffer::getLong, buffer::release);
  }

  private static void countInNetty(int[] sizes, boolean isServed) {
    PooledByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
    AdaptiveByteBufAllocator adaptive = new AdaptiveByteBufAllocator();
    if (isServed) {
      Bare.awaitAgent(pooled);
      Bare.awaitAgent(adaptive);
    }
    report("pooled direct", sizes, bytes -> content(pooled.directBuffer(bytes)));
    report("pooled heap", sizes, bytes -> content(pooled.heapBuffer(bytes)));
    report("adaptive direct", sizes, bytes -> content(adaptive.directBuffer(bytes)));
    ByteBuf last = pooled.directBuffer(MIN_BYTES);
    System.out.println("class " + Bare.className(last));
    last.release();
  }

  private static Content content(ByteBuf buffer) {
    return new Content(buffer::getLong, buffer::release);
  }

  private static void report(String name, int[] sizes, IntFunction<Content> allocator) {
    long foreign = 0;
    long words = 0;
    List<Content> held = new ArrayList<>();
    for (int bytes : sizes) {
      Content content = allocator.apply(bytes);
      held.add(content);
      for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
        words++;
        foreign += content.words.applyAsLong(at) == 0 ? 0 : 1;
      }
    }
    held.forEach(content -> content.release.run());
    System.out.println(name + " " + foreign + " of " + words);
  }
}
