/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.log.Log;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.memory.MemoryWay;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.PoolStat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The log of the changes of copies, one line for each. Also reports them to the agent. */
final class TransitionLog implements NettyCopyMachine.Listener {
  private static final Path DEVICE = Path.of("/dev/zero");

  private final AgentListener agent;

  /** Ways of allocating memory that the log has explained. */
  private final Set<MemoryWay> explained = EnumSet.noneOf(MemoryWay.class);

  TransitionLog(AgentListener agent) {
    this.agent = agent;
  }

  @Override
  public void onChange(NettyCopy copy, Mode before) {
    Mode now = copy.mode();
    if (now.equals(before)) {
      return;
    }
    agent.onModeChange(copy);
    if (!copy.reason().isEmpty()) {
      return;
    }
    if (now.swaps()) {
      Log.line("serves " + copy + " (" + now + memoryWay(copy) + "), " + agent.endpoint());
    } else if (now.observes()) {
      Log.line("observes " + copy + ", " + agent.endpoint());
    } else {
      Log.line("leaves " + copy + " to Netty (off); allocated buffers stay valid");
    }
  }

  @Override
  public void onFailure(NettyCopy copy, String text, @Nullable Throwable failure) {
    if (!copy.takeLogEntry()) {
      return;
    }
    String line = "leaves " + copy + ' ' + text;
    if (failure == null) {
      Log.line(line);
    } else {
      Log.failure(line, failure);
    }
  }

  /** Returns how the copy's pool allocates native memory, and logs why it is not mapped. */
  private String memoryWay(NettyCopy copy) {
    NettyBridge bridge = copy.bridge();
    MemoryWay way = bridge == null ? null : memoryWay(bridge);
    if (way == null) {
      return "";
    }
    if (!way.isMapped() && explained.add(way)) {
      Log.line(
          way == MemoryWay.HOST
              ? "cannot map native memory for "
                  + copy
                  + ": its account of direct memory is not accessible; Netty allocates the"
                  + " chunks, and freed ones may stay with the process"
              : "cannot map native memory: " + mappingRefusal() + "; " + consequence(way));
    }
    return ", memory by " + way.label();
  }

  private static @Nullable MemoryWay memoryWay(NettyBridge bridge) {
    for (PoolSnapshot pool : bridge.pools()) {
      int way = (int) pool.get(PoolStat.MEMORY_WAY);
      if (way >= 0) {
        return MemoryWay.values()[way];
      }
    }
    return null;
  }

  private static String mappingRefusal() {
    return Files.isReadable(DEVICE)
        ? "the system or this JDK does not permit to map " + DEVICE
        : DEVICE + " is missing or not readable";
  }

  private static String consequence(MemoryWay way) {
    return way == MemoryWay.MAPPED_BY_MALLOC
        ? "malloc allocates chunks: freed ones return to the system, but each takes more than 32"
            + " MiB of address space"
        : "malloc allocates chunks, and freed ones may stay with the process";
  }
}
