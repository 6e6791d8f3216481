/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import org.jspecify.annotations.Nullable;

/** The way in which a region of memory was allocated, which determines how it is freed. */
public enum MemoryWay {
  /** Mapped and unmapped by methods of the JDK for files, on {@code /dev/zero}. */
  MAPPED_BY_JDK("mmap_jdk", "mmap, by the JDK's own methods"),

  /** Mapped and unmapped by the C function {@code mmap}, through {@code java.lang.foreign}. */
  MAPPED_BY_LINKER("mmap_linker", "mmap, by java.lang.foreign"),

  /**
   * Allocated by {@code malloc} as a part of a request so large that glibc maps it. Freed memory
   * returns to the operating system, but each region needs more than 32 MiB of address space.
   */
  MAPPED_BY_MALLOC("malloc_mmap", "malloc, in requests that glibc maps"),

  /** Allocated by {@code malloc}. The C library may keep freed memory. */
  MALLOC("malloc", "malloc, which may keep freed memory"),

  /** A direct buffer of the JDK, or memory that Netty itself allocated. */
  HOST("host", "the host's own method, which may keep freed memory"),

  /** A Java array. */
  HEAP("heap", "the Java heap");

  private static final MemoryWay[] ALL = values();

  private final String label;
  private final String description;

  MemoryWay(String label, String description) {
    this.label = label;
    this.description = description;
  }

  /** Returns the value of the label {@code way} of the metrics. */
  public String label() {
    return label;
  }

  /**
   * Returns the label of the way with this ordinal; null if there is none, because a later version
   * may have written the number.
   */
  public static @Nullable String labelOf(long ordinal) {
    return ordinal >= 0 && ordinal < ALL.length ? ALL[(int) ordinal].label : null;
  }

  /** Returns whether the memory is mapped, so that freed memory returns by {@code munmap}. */
  public boolean isMapped() {
    return this == MAPPED_BY_JDK || this == MAPPED_BY_LINKER;
  }

  /** Returns a description for log lines. */
  public String description() {
    return description;
  }
}
