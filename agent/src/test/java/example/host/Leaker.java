/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * An application that leaks on purpose in the methods named {@code leak...}, and nowhere else. At
 * its end it prints the leaks that JMX shows, if there are any.
 */
public final class Leaker {
  private static final PooledByteBufAllocator ALLOC = PooledByteBufAllocator.DEFAULT;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final String[] SITES = {
    "leakDirect",
    "leakHeap",
    "leakSlice",
    "leakComposite",
    "leakGrown",
    "leakInDeadThread",
    "leakAfterSwitch",
  };

  private Leaker() {}

  /**
   * Leaks buffers.
   *
   * @param arguments the size of each buffer, how many for each site, and any of: {@code swap}:
   *     wait until the pool serves; {@code poke}: continue to allocate, because Netty's detector
   *     needs that; {@code jmx}: wait until JMX shows the leaks; {@code dump}: write a dump; {@code
   *     stale}: use a buffer after its release; {@code oom=directory}: leak until memory runs out,
   *     and wait for a dump there
   */
  public static void main(String[] arguments) throws Exception {
    List<String> given = List.of(arguments);
    int size = Integer.parseInt(given.get(0));
    int times = Integer.parseInt(given.get(1));
    if (given.contains("swap")) {
      awaitForeignBuffers();
    }
    for (String argument : given) {
      if (argument.startsWith("oom=")) {
        leakUntilMemoryRunsOut(size, Path.of(argument.substring(4)));
        return;
      }
    }
    for (int i = 0; i < times; i++) {
      leakAll(size);
      useCorrectly(size);
    }
    if (given.contains("stale")) {
      useAfterRelease(size);
    }
    if (given.contains("poke")) {
      poke();
    }
    if (given.contains("jmx")) {
      awaitOnJmx(given.contains("dump"));
    }
    System.out.println("done");
  }

  private static void awaitForeignBuffers() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    boolean isForeign = false;
    while (!isForeign && System.nanoTime() < deadline) {
      ByteBuf buffer = ALLOC.directBuffer(16);
      isForeign = Bare.className(buffer).startsWith("dev.cistern.");
      buffer.release();
      pause(1);
    }
    if (!isForeign) {
      throw new IllegalStateException("the pool serves no buffer");
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static void leakAll(int size) throws InterruptedException {
    leakDirect(size);
    leakHeap(size);
    leakSlice(size);
    leakComposite(size);
    leakGrown(size);
    Thread dying = new Thread(() -> leakInDeadThread(size));
    dying.start();
    dying.join();
    Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(Level.DISABLED);
    ByteBuf unwatched = ALLOC.directBuffer(size);
    ResourceLeakDetector.setLevel(level);
    leakAfterSwitch(size);
    unwatched.release();
  }

  private static void leakDirect(int size) {
    ALLOC.directBuffer(size).writeInt(1);
  }

  private static void leakHeap(int size) {
    ALLOC.heapBuffer(size).writeInt(1);
  }

  private static void leakSlice(int size) {
    ByteBuf buffer = ALLOC.directBuffer(size).writeInt(1);
    ByteBuf slice = buffer.retainedSlice(0, 4);
    slice.touch("sliced");
    buffer.release(); // the count of the slice is not released
  }

  private static void leakComposite(int size) {
    CompositeByteBuf composite = ALLOC.compositeDirectBuffer();
    composite.addComponent(true, ALLOC.directBuffer(size).writeInt(1));
    composite.addComponent(true, ALLOC.heapBuffer(size).writeInt(2));
  }

  private static void leakGrown(int size) {
    ByteBuf buffer = ALLOC.directBuffer(size, 8 * size);
    buffer.capacity(4 * size).writeInt(1);
  }

  private static void leakInDeadThread(int size) {
    ALLOC.directBuffer(size).writeInt(1);
  }

  private static void leakAfterSwitch(int size) {
    ALLOC.directBuffer(size).writeInt(1);
  }

  private static void useCorrectly(int size) throws InterruptedException {
    List<ByteBuf> passed = new ArrayList<>();
    Thread maker = new Thread(() -> passed.addAll(buffersForAnotherThread(size)));
    maker.start();
    maker.join(); // its buffers outlive it
    passed.forEach(ByteBuf::release);
    releaseSlices(size);
    releaseComposite(size);
    releaseGrown(size);
    releaseAfterSwitch(size);
  }

  private static List<ByteBuf> buffersForAnotherThread(int size) {
    return List.of(ALLOC.directBuffer(size).writeInt(1), ALLOC.heapBuffer(size).writeInt(1));
  }

  private static void releaseSlices(int size) {
    ByteBuf buffer = ALLOC.directBuffer(size).writeLong(1);
    ByteBuf slice = buffer.readRetainedSlice(4);
    ByteBuf duplicate = buffer.retainedDuplicate();
    buffer.release();
    duplicate.release();
    slice.release();
  }

  private static void releaseComposite(int size) {
    CompositeByteBuf composite = ALLOC.compositeDirectBuffer();
    composite.addComponent(true, ALLOC.directBuffer(size).writeInt(1));
    composite.release();
  }

  private static void releaseGrown(int size) {
    ByteBuf buffer = ALLOC.heapBuffer(size, 8 * size);
    buffer.capacity(4 * size).capacity(size / 2).capacity(8 * size).release();
  }

  private static void releaseAfterSwitch(int size) {
    Level level = ResourceLeakDetector.getLevel();
    ByteBuf buffer = ALLOC.directBuffer(size);
    ResourceLeakDetector.setLevel(Level.DISABLED);
    buffer.release();
    ResourceLeakDetector.setLevel(level);
  }

  /** Prints how often a released buffer could be used while another buffer had its slot. */
  private static void useAfterRelease(int size) {
    ByteBuf released = ALLOC.directBuffer(size);
    released.release();
    int allowed = 0;
    for (int i = 0; i < 100_000; i++) {
      ByteBuf other = ALLOC.directBuffer(size);
      try {
        byte unused = released.getByte(0);
        allowed++;
      } catch (RuntimeException refused) {
        // as it should be
      }
      other.release();
    }
    System.out.println("stale uses allowed " + allowed);
  }

  /** Netty's detector reports only when a buffer is allocated. */
  private static void poke() {
    for (int i = 0; i < 60; i++) {
      System.gc();
      ALLOC.directBuffer(16).release();
      pause(20);
    }
  }

  /** Waits until JMX shows the leaks. The process allocates no buffer meanwhile. */
  private static void awaitOnJmx(boolean dumps) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("dev.cistern:type=Diagnostics");
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    String text = "";
    while (!hasAll(text) && System.nanoTime() < deadline) {
      System.gc();
      pause(100);
      if (server.isRegistered(name)) {
        text = (String) server.getAttribute(name, "Leaks");
      }
    }
    text.lines().forEach(line -> System.out.println("ours " + line));
    System.out.println("live " + ((String) server.getAttribute(name, "Live")).length());
    if (dumps) {
      System.out.println("dump " + server.invoke(name, "dump", null, null));
    }
  }

  private static boolean hasAll(String text) {
    return Stream.of(SITES).allMatch(site -> text.contains("Leaker." + site));
  }

  private static void leakUntilMemoryRunsOut(int size, Path directory) throws Exception {
    try {
      while (true) {
        leakDirect(size);
      }
    } catch (OutOfMemoryError expected) {
      System.out.println("out of memory");
    }
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while ((!isDumped(directory) || isDumping()) && System.nanoTime() < deadline) {
      pause(20);
    }
    System.out.println("done");
  }

  /** Returns whether the agent's thread for dumps runs. It logs a dump after it has written it. */
  private static boolean isDumping() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("cistern-dump"));
  }

  private static boolean isDumped(Path directory) throws Exception {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> dumps = Files.list(directory)) {
      return dumps.anyMatch(dump -> dump.getFileName().toString().startsWith("cistern-dump-"));
    }
  }
}
