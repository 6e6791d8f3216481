/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.agent.netty.ModeSource;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.agent.netty.NettyCopyManager;
import dev.cistern.bridge.api.NettyBridge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The JMX control of the agent: shows its state and changes modes while it runs. */
public final class AgentControl implements AgentMXBean {
  /** Start of a response line for a copy that was not changed. The command line searches for it. */
  public static final String NOT_CHANGED = "not changed: ";

  private final NettyCopyManager manager;
  private final AgentServices services;

  AgentControl(NettyCopyManager manager, AgentServices services) {
    this.manager = manager;
    this.services = services;
  }

  @Override
  public String getVersion() {
    return AgentVersion.VALUE;
  }

  @Override
  public String getMode() {
    return manager.generalMode().toString();
  }

  @Override
  public String getEndpoint() {
    String endpoint = services.openedEndpoint();
    return endpoint == null ? "not open yet" : endpoint;
  }

  @Override
  public List<NettyCopyInfo> getCopies() {
    return lines(manager.copies());
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
      List<NettyCopy> all =
          manager.change(
              new ModeCommand(Mode.of(String.valueOf(mode), percent), which, ModeSource.JMX, true));
      return text(lines(all)) + notChanged(all, which);
    } catch (BadSettingException refused) {
      throw new IllegalArgumentException(refused.getMessage());
    }
  }

  @Override
  public String detach() throws InterruptedException {
    return manager.detach();
  }

  @Override
  public String awaitDetach() throws InterruptedException {
    return manager.awaitDetach();
  }

  /**
   * Returns a line for each copy that the pattern matches and that cannot have the mode, or if no
   * copy matches. A copy that waits for its host is not included, because it can still follow.
   */
  private static String notChanged(List<NettyCopy> copies, CopyPattern which) {
    StringBuilder lines = new StringBuilder();
    boolean isMet = copies.isEmpty();
    for (NettyCopy copy : copies) {
      if (copy.matches(which)) {
        isMet = true;
        if (copy.isBelowRequest()) {
          lines.append(NOT_CHANGED).append(copy).append(": ").append(copy.reason()).append('\n');
        }
      }
    }
    if (!isMet) {
      lines.append(NOT_CHANGED).append("no copy matches ").append(which).append('\n');
    }
    return lines.toString();
  }

  private static List<NettyCopyInfo> lines(List<NettyCopy> copies) {
    List<NettyCopyInfo> lines = new ArrayList<>();
    for (NettyCopy copy : copies) {
      NettyBridge bridge = copy.hasAllocated() ? copy.bridge() : null;
      lines.add(
          new NettyCopyInfo(
              copy, bridge == null ? List.of() : copy.allocators(bridge).inventory()));
    }
    return lines;
  }

  private static String text(List<NettyCopyInfo> lines) {
    if (lines.isEmpty()) {
      return "no copy of Netty has been found yet\n";
    }
    StringBuilder text = new StringBuilder();
    for (NettyCopyInfo line : lines) {
      text.append(line).append('\n');
    }
    return text.toString();
  }
}
