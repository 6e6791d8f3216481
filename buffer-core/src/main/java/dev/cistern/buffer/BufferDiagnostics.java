/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.LibraryLeaks;
import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.leak.report.StackDetail;

/**
 * Leaks and refused memory of the buffers of this process, of all allocators together. The exporter
 * shows more of them: where leaked buffers were allocated, and which sites hold live buffers.
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
   * should hand over to another thread at once. What the task throws is ignored.
   */
  public static void onOutOfMemory(Runnable task) {
    OutOfMemoryTasks.add(task);
  }

  /** Removes a task that {@link #onOutOfMemory} added. */
  public static void removeOnOutOfMemory(Runnable task) {
    OutOfMemoryTasks.remove(task);
  }
}
