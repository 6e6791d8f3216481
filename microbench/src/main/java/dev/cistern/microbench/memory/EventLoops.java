/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Threads like those of Netty's event loops, so that Netty's allocators perform at their best.
 * Between two tasks, they are parked and alive; only Netty's own timer wakes them.
 */
final class EventLoops {
  /** The work of one loop. */
  interface Task {
    void run(int loop) throws Exception;
  }

  private final List<EventExecutor> loops = new ArrayList<>();

  EventLoops(int count) {
    new DefaultEventExecutorGroup(count).forEach(loops::add);
  }

  int count() {
    return loops.size();
  }

  /** Runs the task on all loops at once, and waits for them. */
  void run(Task task) throws InterruptedException, ExecutionException {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < loops.size(); i++) {
      int loop = i;
      Callable<Void> call =
          () -> {
            task.run(loop);
            return null;
          };
      running.add(loops.get(i).submit(call));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }
}
