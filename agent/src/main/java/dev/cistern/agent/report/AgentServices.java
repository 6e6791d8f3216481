/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.control.CommandReader;
import dev.cistern.agent.control.ControlFiles;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.netty.AgentListener;
import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.agent.netty.NettyCopyManager;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.push.Push;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.HostIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Outputs of the agent: HTTP endpoint, stats file, JMX, flight recorder and dumps. Each is opened
 * when the first copy of Netty needs it. If one fails, the other outputs still work.
 */
public final class AgentServices implements AgentListener, ExporterState.Source {
  private final AgentConfig config;
  private final ControlFiles control;
  private final CommandReader reader;
  private final AgentReport report;
  private final @Nullable DiagnosticsDump dump;
  private final List<NettyCopy> copies;
  private final Runnable onDetached;
  private @Nullable NettyCopyManager manager;

  /** Written by the agent's thread, read by any thread. */
  private volatile @Nullable Endpoint endpoint;

  // ---- the agent's thread only

  private boolean isStatsFileOpen;

  /** Set by the agent's thread, read by scrapes. */
  private volatile List<Push> pushes = List.of();

  private @Nullable JmxBeans beans;

  /** Whether the agent is registered with JMX, or cannot be. */
  private boolean isJmxDone = isMissing("java.management");

  /** Null in a runtime without a flight recorder. */
  private final @Nullable JfrEvents events = isMissing("jdk.jfr") ? null : new JfrEvents();

  /**
   * Creates the outputs without opening one.
   *
   * @param onDetached runs when the agent has left this JVM
   */
  public AgentServices(AgentConfig config, List<NettyCopy> copies, Runnable onDetached) {
    this.copies = copies;
    this.onDetached = onDetached;
    this.config = config;
    HostIdentity host =
        HostIdentity.ofThisProcess(
            config.application(), config.pod(), config.container(), AgentVersion.VALUE);
    this.control = new ControlFiles(config, StatsFileService.directory(config), host.id());
    this.reader = new CommandReader(control);
    this.report = new AgentReport(host, copies, control);
    String directory = config.dumpDirectory();
    this.dump =
        directory == null
            ? null
            : new DiagnosticsDump(
                Path.of(directory), report, DiagnosticsDump.DEFAULT_KEPT, Log::line);
  }

  private static boolean isMissing(String module) {
    return ModuleLayer.boot().findModule(module).isEmpty();
  }

  /** Returns the source of the commands in files. */
  public CommandSource commands() {
    return control.isWatching() ? reader : control;
  }

  /** Sets the manager that JMX controls. Must be called before the manager is started. */
  public void control(NettyCopyManager controlled) {
    manager = controlled;
  }

  @Override
  public String endpoint() {
    Endpoint opened = endpoint;
    if (opened == null) {
      opened = Endpoint.open(config, report, dump, this);
      endpoint = opened;
    }
    return opened.description();
  }

  /** Returns the description of the endpoint; null until it is opened. */
  @Nullable String openedEndpoint() {
    Endpoint opened = endpoint;
    return opened == null ? null : opened.description();
  }

  @Override
  public void onThreadFailure() {
    report.agentFailed();
  }

  @Override
  public void onTick(boolean hasNewLeaks, boolean isExhausted) {
    registerWithJmx();
    if (beans != null) {
      beans.update(copies);
    }
    if (!copies.isEmpty() && !isStatsFileOpen) {
      isStatsFileOpen = true; // not before a tick, because the host has just started
      StatsFileService.open(config, report);
      pushes = ProfilePushService.open(config, report);
    }
    if (hasNewLeaks) {
      report.writeSoon();
    }
    if (isExhausted && dump != null) {
      boolean unused = dump.writeSoon("out-of-direct-memory");
    }
    if (events != null) {
      events.writeRefusals(control.refusals(), control.lastRefusal());
      events.writeFigures(copies);
    }
  }

  @Override
  public void onModeChange(NettyCopy copy) {
    if (events != null) {
      events.writeMode(copy);
    }
  }

  @Override
  public void onDetach() {
    try {
      Endpoint opened = endpoint;
      if (opened != null) {
        opened.close();
      }
      reader.close();
      report.close();
      for (Push push : pushes) {
        push.close();
      }
      if (beans != null) {
        beans.unregister();
      }
    } finally {
      onDetached.run(); // otherwise no later attach would start
    }
  }

  /** Waits until the host has opened JMX: the first use would fix its logging and cost time. */
  private void registerWithJmx() {
    if (isJmxDone) {
      return;
    }
    try {
      beans =
          JmxBeans.register(
              new AgentControl(Objects.requireNonNull(manager), this),
              new Diagnostics(report, dump));
      isJmxDone = beans != null;
    } catch (Throwable failure) {
      isJmxDone = true;
      Log.line("cannot register with JMX: " + failure + "; everything else works");
    }
  }

  /** Adds the results of the pushes to a scrape. */
  @Override
  public void addTo(ExporterState state) {
    for (Push push : pushes) {
      push.addTo(state);
    }
  }
}
