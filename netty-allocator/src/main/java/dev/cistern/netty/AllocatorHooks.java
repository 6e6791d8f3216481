/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import dev.cistern.leak.LeakDetectorThread;
import dev.cistern.leak.OutOfMemoryTasks;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.PoolHooks;

/**
 * The hooks of an application without the agent. They run its tasks when direct memory runs out,
 * and start the thread that finds leaks.
 */
final class AllocatorHooks extends PoolHooks {
  @Override
  public void directMemoryExhausted() {
    OutOfMemoryTasks.run();
  }

  @Override
  public void watchBegins() {
    DetectorThread.INSTANCE.wake();
  }

  /** The thread that finds leaks. Initialized when the first buffer is watched. */
  private static final class DetectorThread {
    static final LeakDetectorThread INSTANCE = new LeakDetectorThread(NettyLeakDetector.DETECTOR);
  }
}
