/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.leak.report.StackDetail;

/**
 * Leaks and refused memory of the buffers of this process, of all allocators together. The exporter
 * also shows the allocation sites of leaked buffers and of live buffers.
 */
public final class BufferDiagnostics {
  private BufferDiagnostics() {}

  /** Returns the number of leaked buffers found since start, among those that were sampled. */
  public static long leakedBuffers() {
    return LibraryLeaks.SHARED.leaks(StackDetail.SITE).found();
  }

  /**
   * Adds a task that runs whenever an allocator refuses a direct buffer because memory is short,
   * pooled or not. The thread that is refused runs it before its allocation fails, so the task
   * should hand its work over to another thread at once. Exceptions of the task are ignored.
   */
  public static void onOutOfMemory(Runnable task) {
    OutOfMemoryTasks.add(task);
  }

  /** Removes a task that {@link #onOutOfMemory} added. */
  public static void removeOnOutOfMemory(Runnable task) {
    OutOfMemoryTasks.remove(task);
  }
}
