/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resident bytes of the mappings of this process, by kind. The layouts are those of HotSpot and
 * glibc on 64-bit Linux; decision 0052 has the reasons.
 *
 * @param heapBytes the Java heap; -1 if it was not found
 * @param codeBytes compiled code
 * @param stackBytes stacks of threads
 * @param stacks number of these stacks
 * @param libraryBytes libraries, and the JVM's own files
 * @param fileBytes other files
 * @param arenaBytes arenas of malloc, and the classic heap of the process
 * @param arenas number of arenas of malloc
 * @param otherBytes other anonymous memory
 */
record AddressSpace(
    long heapBytes,
    long codeBytes,
    long stackBytes,
    int stacks,
    long libraryBytes,
    long fileBytes,
    long arenaBytes,
    int arenas,
    long otherBytes) {
  /** Size and alignment of a heap of an arena of glibc (HEAP_MAX_SIZE in malloc/arena.c). */
  private static final long ARENA_BYTES = 64L << 20;

  /** Maximum size of a guard of a stack. */
  private static final long MAX_GUARD_BYTES = 64 << 10;

  private static final long MAX_STACK_BYTES = 64L << 20;

  /** Maximum number of mappings. A process with more is not measured. */
  private static final int MAX_MAPPINGS = 100_000;

  /** Reads the mappings. */
  static List<Mapping> mappings(File maps) throws IOException {
    List<Mapping> all = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new FileReader(maps, StandardCharsets.ISO_8859_1))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Mapping mapping = Mapping.parse(line);
        if (mapping != null) {
          all.add(mapping);
        }
        if (all.size() > MAX_MAPPINGS) {
          throw new IOException("more than " + MAX_MAPPINGS + " mappings");
        }
      }
    }
    return all;
  }

  /**
   * Measures mappings.
   *
   * @param heapSize sizes of the Java heap
   */
  static AddressSpace of(List<Mapping> mappings, ResidentPages pages, HeapSize heapSize)
      throws IOException {
    HeapSearch.Range heap = HeapSearch.find(mappings, heapSize);
    long[] sums = new long[Kind.values().length];
    int[] counts = new int[Kind.values().length];
    for (int i = 0; i < mappings.size(); i++) {
      Mapping mapping = mappings.get(i);
      Kind kind = kind(mappings, i, heap);
      if (kind != Kind.NONE) {
        counts[kind.ordinal()]++;
        sums[kind.ordinal()] += pages.bytes(mapping);
      }
    }
    boolean isHeapFound = heap != null || counts[Kind.HEAP.ordinal()] > 0;
    return new AddressSpace(
        isHeapFound ? sums[Kind.HEAP.ordinal()] : -1,
        sums[Kind.CODE.ordinal()],
        sums[Kind.STACK.ordinal()],
        counts[Kind.STACK.ordinal()],
        sums[Kind.LIBRARY.ordinal()],
        sums[Kind.FILE.ordinal()],
        sums[Kind.ARENA.ordinal()] + sums[Kind.BREAK.ordinal()],
        counts[Kind.ARENA.ordinal()],
        sums[Kind.OTHER.ordinal()]);
  }

  /**
   * Returns the resident bytes of malloc's arenas and of the classic heap of the process, without
   * measuring other mappings.
   *
   * @param heapSize sizes of the Java heap
   */
  static long arenaBytes(List<Mapping> mappings, ResidentPages pages, HeapSize heapSize)
      throws IOException {
    HeapSearch.Range heap = HeapSearch.find(mappings, heapSize);
    long bytes = 0;
    for (int i = 0; i < mappings.size(); i++) {
      Kind kind = kind(mappings, i, heap);
      if (kind == Kind.ARENA || kind == Kind.BREAK) {
        bytes += pages.bytes(mappings.get(i));
      }
    }
    return bytes;
  }

  private enum Kind {
    NONE,
    HEAP,
    CODE,
    STACK,
    LIBRARY,
    FILE,
    ARENA,
    BREAK,
    OTHER
  }

  private static Kind kind(List<Mapping> mappings, int index, HeapSearch.@Nullable Range heap) {
    Mapping mapping = mappings.get(index);
    if (mapping.isReserved()) {
      return Kind.NONE;
    }
    if (!mapping.isAnonymous()) {
      return kindOfNamed(mapping);
    }
    if (heap != null && heap.contains(mapping)) {
      return Kind.HEAP;
    }
    if (mapping.isExecutable()) {
      return Kind.CODE;
    }
    if (isArena(mappings, index)) {
      return Kind.ARENA;
    }
    return isStack(mappings, index) ? Kind.STACK : Kind.OTHER;
  }

  private static Kind kindOfNamed(Mapping mapping) {
    String path = mapping.path();
    if (path.startsWith("[")) {
      return switch (path) {
        case "[heap]" -> Kind.BREAK;
        case "[stack]" -> Kind.STACK;
        default -> Kind.NONE; // pages of the kernel, which are not resident memory
      };
    }
    if (path.startsWith(HeapSearch.SHARED_PATH)) {
      return Kind.HEAP;
    }
    return isOfJvm(mapping.file()) ? Kind.LIBRARY : Kind.FILE;
  }

  private static boolean isOfJvm(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.endsWith(".so")
        || name.contains(".so.")
        || name.endsWith(".jsa")
        || name.equals("java")
        || name.equals("modules")
        || path.contains("/hsperfdata_")
        || path.contains("/locale/");
  }

  /** Returns whether a mapping is the used part of a heap of an arena of glibc. */
  private static boolean isArena(List<Mapping> mappings, int index) {
    Mapping mapping = mappings.get(index);
    if (mapping.start() % ARENA_BYTES != 0 || mapping.bytes() > ARENA_BYTES) {
      return false;
    }
    long end = mapping.start() + ARENA_BYTES;
    if (mapping.end() == end) {
      return true;
    }
    if (index + 1 >= mappings.size()) {
      return false;
    }
    Mapping next = mappings.get(index + 1);
    return next.isReserved() && next.start() == mapping.end() && next.end() == end;
  }

  /** Returns whether a mapping is a stack: a small guard is just below it. */
  private static boolean isStack(List<Mapping> mappings, int index) {
    Mapping mapping = mappings.get(index);
    if (index == 0 || !mapping.isWritable() || mapping.bytes() > MAX_STACK_BYTES) {
      return false;
    }
    Mapping guard = mappings.get(index - 1);
    return guard.isReserved()
        && guard.isAnonymous()
        && guard.end() == mapping.start()
        && guard.bytes() <= MAX_GUARD_BYTES;
  }
}
