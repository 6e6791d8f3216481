/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.Locale;

/** Parts of the resident memory of a process, in the order in which they are shown. */
public enum Part {
  /** The Java heap. */
  JAVA_HEAP("Java heap"),
  /** Classes. */
  METASPACE("Metaspace"),
  /** Code that the JVM has compiled. */
  CODE("Compiled code"),
  /** Libraries, and memory that the JVM allocated for itself, if it is known. */
  JVM("Garbage collector and other JVM parts"),
  /** Stacks of all threads. */
  THREAD_STACKS("Thread stacks"),
  /** Native memory of Cistern's pools that buffers use. */
  POOL_PINNED("Pool: in use"),
  /** Native memory of Cistern's pools in thread caches. */
  POOL_CACHED("Pool: in thread caches"),
  /** Resident native memory of Cistern's pools that is free. */
  POOL_FREE("Pool: free"),
  /** Native memory of Netty's own pools. */
  NETTY_POOLS("Netty's own pools"),
  /** Direct buffers of Netty, or of the library, without a pool. */
  NETTY_UNPOOLED("Unpooled buffers of Netty"),
  /** Direct buffers that the JVM counts and that do not belong to these pools. */
  JDK_DIRECT("Other direct buffers"),
  /** Mapped files other than libraries. */
  MAPPED_FILES("Mapped files"),
  /** Memory of native code, and memory that malloc keeps. */
  NATIVE("Native allocations and memory kept by malloc"),
  /** Remainder; negative if the parts together exceed the resident memory. */
  REST("Not explained");

  private final String title;

  Part(String title) {
    this.title = title;
  }

  /** Returns its name as shown to users. */
  public String title() {
    return title;
  }

  /** Returns the value of the label {@code part}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
