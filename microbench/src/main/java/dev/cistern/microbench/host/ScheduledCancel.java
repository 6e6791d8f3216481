/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Schedules 100,000 timeouts on an event loop, and cancels them in reverse order. */
public class ScheduledCancel extends Workload {
  private static final int TASKS = 100_000;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<ScheduledFuture<?>> tasks = new ArrayList<>(TASKS);

  private static void nothing() {}

  @Override
  void open() {}

  @Override
  int operate() {
    EventLoop loop = channel.eventLoop();
    for (int task = 1; task <= TASKS; task++) {
      tasks.add(loop.schedule(ScheduledCancel::nothing, task, TimeUnit.HOURS));
    }
    int cancelled = 0;
    for (int task = TASKS - 1; task >= 0; task--) {
      cancelled += tasks.get(task).cancel(false) ? 1 : 0;
    }
    tasks.clear();
    return cancelled;
  }

  @Override
  void record(Outcome into) {
    into.add(operate());
    into.add(channel.runScheduledPendingTasks());
  }

  @Override
  void close() {
    channel.finishAndReleaseAll();
  }
}
