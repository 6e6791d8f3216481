/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A host that records the flight recorder events of its buffers, and prints them. */
public final class Recorded {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int MIB = 1 << 20;

  /** Maximum capacity that identifies the tested buffers: no other buffer has it. */
  private static final int MAX_CAPACITY = 111 * MIB;

  private static final int BUFFERS = 50;

  private Recorded() {}

  /**
   * Records the events.
   *
   * @param arguments {@code swap}: wait until the pool serves
   */
  public static void main(String[] arguments) throws Exception {
    List<ByteBufAllocator> allocators =
        List.of(PooledByteBufAllocator.DEFAULT, new AdaptiveByteBufAllocator());
    if (arguments.length > 0) {
      waitForSwap(allocators.get(0));
    }
    Path file = Files.createTempFile("host", ".jfr");
    try (Recording recording = new Recording()) {
      for (String name : List.of("AllocateBuffer", "ReallocateBuffer", "FreeBuffer")) {
        recording.enable("io.netty." + name).withoutThreshold();
      }
      recording.enable("io.netty.AllocateChunk");
      recording.enable("io.netty.FreeChunk");
      recording.start();
      for (ByteBufAllocator allocator : allocators) {
        use(allocator);
      }
      recording.stop();
      recording.dump(file);
    }
    show(RecordingFile.readAllEvents(file));
    Files.delete(file);
    System.out.println("done");
  }

  private static void waitForSwap(ByteBufAllocator allocator) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - deadline < 0) {
      ByteBuf buffer = allocator.directBuffer(16);
      boolean foreign = Bare.className(buffer).startsWith("dev.cistern.");
      buffer.release();
      if (foreign) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    System.out.println("class not served");
  }

  private static void use(ByteBufAllocator allocator) {
    List<ByteBuf> out = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      out.add(allocator.directBuffer(1000 + i, MAX_CAPACITY));
      out.add(allocator.heapBuffer(3000 + i, MAX_CAPACITY));
    }
    for (ByteBuf buffer : out) {
      buffer.capacity(300_000);
      buffer.capacity(299_999); // does not move
      buffer.release();
    }
    allocator.directBuffer(100 * MIB, MAX_CAPACITY).release(); // more than any pool keeps
  }

  private static void show(List<RecordedEvent> events) {
    for (String kind : List.of("AllocateBuffer", "ReallocateBuffer", "FreeBuffer")) {
      List<RecordedEvent> found =
          events.stream()
              .filter(event -> event.getEventType().getName().equals("io.netty." + kind))
              .filter(event -> event.getInt("maxCapacity") == MAX_CAPACITY)
              .collect(Collectors.toList());
      System.out.println(kind + " " + found.size());
      found.stream()
          .map(Recorded::fields)
          .collect(Collectors.groupingBy(line -> line, Collectors.counting()))
          .forEach((line, count) -> System.out.println(kind + " " + count + " of " + line));
    }
    for (String kind : List.of("AllocateChunk", "FreeChunk")) {
      List<RecordedEvent> large =
          events.stream()
              .filter(event -> event.getEventType().getName().equals("io.netty." + kind))
              .filter(event -> event.getInt("capacity") == 100 * MIB)
              .collect(Collectors.toList());
      System.out.println("class " + kind + " " + large.size());
      for (RecordedEvent event : large) {
        System.out.println(
            "class chunk of "
                + event.getClass("allocatorType").getName()
                + (event.getBoolean("direct") ? " direct" : " heap")
                + (event.getBoolean("pooled") ? " pooled" : " unpooled"));
      }
    }
  }

  /** Returns the fields that are the same for buffers of Netty and of the pool. */
  private static String fields(RecordedEvent event) {
    StringBuilder line = new StringBuilder();
    line.append(event.getClass("allocatorType").getName());
    line.append(" size ").append(event.getInt("size") / 10);
    line.append(" fast ").append(event.getInt("maxFastCapacity") >= event.getInt("size"));
    boolean direct = event.getBoolean("direct");
    line.append(direct ? " direct" : " heap");
    if (event.hasField("newCapacity")) {
      line.append(" to ").append(event.getInt("newCapacity"));
    }
    boolean isSmall = event.getInt("size") < 10_000; // larger ones depend on the pool
    if (event.hasField("chunkPooled") && isSmall) {
      line.append(" pooled ").append(event.getBoolean("chunkPooled"));
    }
    return line.toString();
  }
}
