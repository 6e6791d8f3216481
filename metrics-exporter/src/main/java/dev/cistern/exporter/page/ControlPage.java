/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.SidecarControl;
import dev.cistern.exporter.report.TextFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /control} of a sidecar: writes a command to the control files of hosts. The router
 * admits only clients with a login.
 */
public final class ControlPage implements Page, ExporterState.Source {
  public static final String PATH = "/control";

  private static final int ACCEPTED = 202;

  private final Hosts hosts;
  private final @Nullable SidecarControl control;
  private final boolean hasWebConfig;

  /** Counters of commands. Written by any serving thread. */
  private final LongAdder accepted = new LongAdder();

  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /**
   * Creates the page.
   *
   * @param control null if the sidecar's settings do not permit commands
   * @param hasWebConfig whether the sidecar has a web configuration
   */
  public ControlPage(Hosts hosts, @Nullable SidecarControl control, boolean hasWebConfig) {
    this.hosts = hosts;
    this.control = control;
    this.hasWebConfig = hasWebConfig;
  }

  @Override
  public String forbidden() {
    return hasWebConfig
        ? "Commands need a login. The web configuration requires none: add basic_auth_users, or"
            + " tls_server_config with client_auth_type: RequireAndVerifyClientCert."
        : "Commands need a login. Set the sidecar's setting webConfig to a file with"
            + " basic_auth_users, or with tls_server_config and client_auth_type:"
            + " RequireAndVerifyClientCert.";
  }

  @Override
  public Response respond(Request request) {
    if (control == null) {
      return refuse(
          Response.NOT_FOUND, "Commands are off. Set the sidecar's setting control to on.");
    }
    ControlCommand command;
    try {
      command = ControlCommand.read(request.parameters());
    } catch (ControlCommand.MalformedException e) {
      return refuse(Response.BAD_REQUEST, TextFormat.plain(String.valueOf(e.getMessage())));
    }
    List<HostView> running = hosts.all().stream().filter(HostView::isUp).toList();
    List<HostView> chosen = choose(running, command.host());
    if (chosen.isEmpty()) {
      return refuse(
          Response.NOT_FOUND, "No host that runs has this id or application name." + list(running));
    }
    if (chosen.size() > 1 && !command.host().equals(ControlCommand.ALL_HOSTS)) {
      return refuse(
          Response.BAD_REQUEST, "Several hosts have this name. Use a host id." + list(chosen));
    }
    return write(control, chosen, command.line(), request.user());
  }

  /**
   * Returns the hosts that a command names. An ID takes precedence over a name, because a host
   * chooses its own name.
   */
  private static List<HostView> choose(List<HostView> running, String wanted) {
    if (wanted.equals(ControlCommand.ALL_HOSTS)) {
      return running;
    }
    List<HostView> byId = running.stream().filter(host -> host.id().equals(wanted)).toList();
    return byId.isEmpty()
        ? running.stream().filter(host -> host.application().equals(wanted)).toList()
        : byId;
  }

  private Response write(SidecarControl to, List<HostView> chosen, String command, String user) {
    List<String> lines = new ArrayList<>();
    boolean hasFailed = false;
    for (HostView host : chosen) {
      try {
        lines.add("wrote '" + command + "' to " + to.write(host, command, user));
        accepted.increment();
      } catch (IOException e) {
        hasFailed = true;
        failed.increment();
        lines.add(String.valueOf(e.getMessage()));
      }
    }
    lines.add(
        "A host with the agent setting control=sidecar shows the result in cistern_mode_info with"
            + " source=\"sidecar\". It counts a refused command in"
            + " cistern_control_refusals_total.");
    return Response.line(hasFailed ? Response.INTERNAL_ERROR : ACCEPTED, String.join("\n", lines));
  }

  private Response refuse(int status, String line) {
    refused.increment();
    return Response.line(status, line);
  }

  private static String list(List<HostView> hosts) {
    StringBuilder lines = new StringBuilder();
    for (HostView host : hosts) {
      lines
          .append("\n  ")
          .append(host.id())
          .append("  ")
          .append(TextFormat.plain(host.application()));
    }
    return lines.toString();
  }

  @Override
  public void addTo(ExporterState to) {
    to.add("result", "accepted", accepted.sum());
    to.add("result", "refused", refused.sum());
    to.add("result", "failed", failed.sum());
  }
}
