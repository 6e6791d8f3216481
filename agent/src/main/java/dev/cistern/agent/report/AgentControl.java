/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.copy.BridgeHandle;
import dev.cistern.agent.copy.CopyKeeper;
import dev.cistern.agent.copy.NettyCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The way to look at the agent and to change it while it runs. */
public final class AgentControl implements AgentMXBean {
  /** Begins a line of an answer; the command line looks for it. */
  public static final String NOT_CHANGED = "not changed: ";

  private final CopyKeeper keeper;

  /** Whether there is nothing more to do; the agent's thread's own. */
  private boolean isRegistered = !JmxModule.isPresent();

  /** Of this agent. */
  public AgentControl(CopyKeeper keeper) {
    this.keeper = keeper;
  }

  /** Registers with JMX once the host has opened that, as {@link Diagnostics#tick} does. */
  public void tick() {
    if (isRegistered) {
      return;
    }
    try {
      isRegistered = JmxRegistration.register(this);
    } catch (Throwable failure) {
      isRegistered = true; // not tried again
      Log.line("cannot be changed by JMX: " + failure + "; everything else runs");
    }
  }

  @Override
  public String getVersion() {
    return AgentVersion.VALUE;
  }

  @Override
  public String getMode() {
    return keeper.generalMode().toString();
  }

  @Override
  public String getEndpoint() {
    String endpoint = keeper.endpoint();
    return endpoint == null ? "not open yet" : endpoint;
  }

  @Override
  public List<CopyLine> getCopies() {
    return lines(keeper.copies());
  }

  @Override
  public String inventory() {
    return text(getCopies());
  }

  @Override
  public String changeMode(String mode, int percent, String copies)
      throws TimeoutException, InterruptedException {
    try {
      CopyPattern which = CopyPattern.of(String.valueOf(copies));
      List<NettyCopy> all = keeper.change(Mode.of(String.valueOf(mode), percent), which);
      return text(lines(all)) + notChanged(all, which);
    } catch (BadSettingException refused) {
      throw new IllegalArgumentException(refused.getMessage());
    }
  }

  /** A line for each copy that was meant and could not follow; one that waits still may. */
  private static String notChanged(List<NettyCopy> copies, CopyPattern which) {
    StringBuilder lines = new StringBuilder();
    boolean isMet = copies.isEmpty();
    for (NettyCopy copy : copies) {
      if (copy.isMeantBy(which)) {
        isMet = true;
        if (copy.hasFallenBack()) {
          lines.append(NOT_CHANGED).append(copy).append(": ").append(copy.reason()).append('\n');
        }
      }
    }
    if (!isMet) {
      lines.append(NOT_CHANGED).append("none of them is like ").append(which).append('\n');
    }
    return lines.toString();
  }

  private static List<CopyLine> lines(List<NettyCopy> copies) {
    List<CopyLine> lines = new ArrayList<>();
    for (NettyCopy copy : copies) {
      BridgeHandle bridge = copy.isAwake() ? copy.bridge() : null;
      lines.add(new CopyLine(copy, bridge == null ? List.of() : bridge.allocators()));
    }
    return lines;
  }

  private static String text(List<CopyLine> lines) {
    if (lines.isEmpty()) {
      return "no copy of Netty has been found yet\n";
    }
    StringBuilder text = new StringBuilder();
    for (CopyLine line : lines) {
      text.append(line).append('\n');
    }
    return text.toString();
  }
}
