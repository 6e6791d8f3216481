/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

/**
 * Sizes that identify the Java heap.
 *
 * @param reserved bytes that the JVM reserves for it
 * @param committed bytes of it that are accessible
 */
record HeapSize(long reserved, long committed) {
  /**
   * Returns the sizes of this JVM. With some collectors, the limit that the runtime reports is
   * smaller than the reservation, because it excludes a survivor space.
   */
  static HeapSize read() {
    Runtime runtime = Runtime.getRuntime();
    long reserved = runtime.maxMemory();
    try {
      reserved = Long.parseLong(JavaBeans.option("MaxHeapSize"));
    } catch (NumberFormatException | LinkageError unknown) {
      // another JVM, or a runtime without jdk.management or java.management
    }
    return new HeapSize(reserved, runtime.totalMemory());
  }
}
