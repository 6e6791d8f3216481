/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import java.io.File;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Memory that malloc keeps: a trim returns free memory to the operating system. */
public final class NativeHeap {
  private static final String COMMAND = "systemTrimNativeHeap";
  private static final File MAPS = new File("/proc/self/maps");
  private static final File PAGEMAP = new File("/proc/self/pagemap");

  /** The last trim; null before the first. Written by any thread that trims. */
  private static volatile @Nullable Trim last;

  private NativeHeap() {}

  /**
   * A trim. It frees pages of malloc's arenas and of the classic heap of the process. The freed
   * bytes are those by which the resident bytes of both shrank, and no more than those by which the
   * resident memory of the process shrank: memory that the application unmaps meanwhile, such as
   * direct buffers or files, does not count. If the mappings cannot be read, the freed bytes are
   * the fall of the resident memory alone. Memory that other threads free in the arenas meanwhile
   * counts, if malloc returns it to the operating system.
   *
   * @param timeMillis time of the trim, in milliseconds since the epoch
   * @param freedBytes bytes that were returned to the operating system; never negative
   * @param residentBytes resident memory after the trim
   */
  public record Trim(long timeMillis, long freedBytes, long residentBytes) {}

  /** Returns the last trim, or null. */
  public static @Nullable Trim last() {
    return last;
  }

  /**
   * Trims the native heap, which may take seconds. Opens the MBean server.
   *
   * @return the trim, or null if this JVM or its C library cannot trim: it needs JDK 17.0.9 or
   *     newer and glibc
   */
  public static @Nullable Trim trim() {
    Trim trim = trim(() -> DiagnosticCommands.run(COMMAND), MAPS);
    if (trim != null) {
      last = trim;
    }
    return trim;
  }

  /**
   * Trims the native heap by a command.
   *
   * @param command returns the output of the command, or null
   * @param maps list of the mappings of this process
   */
  static @Nullable Trim trim(Supplier<@Nullable String> command, File maps) {
    long arenasBefore = arenaBytes(maps);
    long before = ResidentSize.read();
    String output = command.get();
    if (output == null || before < 0 || output.contains("Not available")) {
      return null;
    }
    long after = ResidentSize.read();
    long freed = before - after;
    long arenasAfter = arenasBefore < 0 ? -1 : arenaBytes(maps);
    if (arenasAfter >= 0) {
      freed = Math.min(freed, arenasBefore - arenasAfter);
    }
    return new Trim(System.currentTimeMillis(), Math.max(0, freed), after);
  }

  /** Returns the resident bytes of arenas and classic heap; -1 if they cannot be measured. */
  private static long arenaBytes(File maps) {
    try (ResidentPages pages = ResidentPages.open(PAGEMAP, false)) {
      return AddressSpace.arenaBytes(AddressSpace.mappings(maps), pages, HeapSize.read());
    } catch (IOException | RuntimeException hidden) { // also if there are too many mappings
      return -1;
    }
  }
}
