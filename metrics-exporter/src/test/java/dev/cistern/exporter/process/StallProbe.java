/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that maps, touches and unmaps a part of a file all the time, while several methods
 * measure its memory. It prints for each method the duration of a measurement, and the longest
 * round of the mapping thread.
 */
final class StallProbe {
  private static final int ROUNDS = 12;
  private static final int PIECE_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 4_096;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static volatile boolean isOver;

  /** The longest round since the last reset, in nanoseconds. */
  private static volatile long longest;

  private StallProbe() {}

  /** A method of measurement. */
  private interface Way {
    void measure() throws IOException;
  }

  /** Runs the methods one after the other. */
  public static void main(String[] unused) throws Exception {
    Path file = Files.createTempFile("stall", ".probe");
    Thread mapper = new Thread(() -> map(file), "mapper");
    mapper.start();
    print("nothing", () -> LockSupport.parkNanos(PAUSE_NANOS));
    print("samples", () -> measure(true));
    print("each page", () -> measure(false));
    print("smaps", () -> read("/proc/self/smaps"));
    print("smaps_rollup", () -> read("/proc/self/smaps_rollup"));
    isOver = true;
    mapper.join();
    Files.delete(file);
  }

  private static void print(String name, Way way) throws Exception {
    for (int i = 0; i < 3; i++) {
      way.measure(); // time for the compiler
    }
    double[] millis = new double[ROUNDS];
    double[] stalls = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      longest = 0;
      long start = System.nanoTime();
      way.measure();
      millis[i] = (System.nanoTime() - start) / 1e6;
      LockSupport.parkNanos(PAUSE_NANOS);
      stalls[i] = longest / 1e6;
    }
    Arrays.sort(millis);
    Arrays.sort(stalls);
    System.out.printf(
        Locale.ROOT,
        "%s: %.1f to %.1f ms, longest round %.1f ms in the median and %.1f ms at most%n",
        name,
        millis[0],
        millis[ROUNDS - 1],
        stalls[ROUNDS / 2],
        stalls[ROUNDS - 1]);
  }

  private static void measure(boolean isSampled) throws IOException {
    try (ResidentPages pages = ResidentPages.open(new File("/proc/self/pagemap"), isSampled)) {
      AddressSpace space =
          AddressSpace.of(
              AddressSpace.mappings(new File("/proc/self/maps")), pages, HeapSize.read());
      if (space.heapBytes() < Runtime.getRuntime().maxMemory() / 2) {
        throw new IllegalStateException("heap: " + space.heapBytes() + " (expected: all touched)");
      }
    }
  }

  private static void read(String file) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new FileReader(file, StandardCharsets.US_ASCII))) {
      long unused = lines.lines().count();
    }
  }

  private static void map(Path file) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      Method clean = unsafe.getClass().getMethod("invokeCleaner", ByteBuffer.class);
      while (!isOver) {
        long start = System.nanoTime();
        MappedByteBuffer piece = channel.map(FileChannel.MapMode.READ_WRITE, 0, PIECE_BYTES);
        for (int at = 0; at < PIECE_BYTES; at += PAGE_BYTES) {
          piece.put(at, (byte) 1);
        }
        clean.invoke(unsafe, piece);
        longest = Math.max(longest, System.nanoTime() - start);
      }
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
