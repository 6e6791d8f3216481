/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

/**
 * Sizes by which the Java heap is found.
 *
 * @param reserved bytes that the JVM reserves for it
 * @param committed bytes of it that are accessible
 */
record HeapSize(long reserved, long committed) {
  /**
   * Reads those of this JVM. The limit that the runtime reports is smaller than the reservation
   * with some collectors: it is without a space of survivors.
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
