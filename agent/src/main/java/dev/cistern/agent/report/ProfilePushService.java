/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.log.Log;
import dev.cistern.exporter.push.Push;
import dev.cistern.exporter.push.PushCredentials;
import dev.cistern.exporter.push.PushOptions;
import dev.cistern.exporter.report.Hosts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The pushes of this JVM's live profile. */
final class ProfilePushService {
  private ProfilePushService() {}

  /** Starts the configured pushes and returns them. Logs a failure instead of throwing it. */
  static List<Push> open(AgentConfig config, AgentReport report) {
    List<Push> opened = new ArrayList<>();
    try {
      String pyroscope = config.pyroscopeEndpoint();
      if (pyroscope != null) {
        opened.add(Opened.toPyroscope(pyroscope, config, report));
      }
      String otlp = config.otlpEndpoint();
      if (config.hasOtlpProfiles()) {
        if (otlp == null) {
          Log.line("otlpProfiles: 'on' without otlpEndpoint; no profile is pushed there");
        } else {
          opened.add(Opened.toOtlp(otlp, config, report));
        }
      }
    } catch (Throwable failure) {
      Log.line("cannot push the live profile: " + failure + "; everything else runs");
    }
    return opened;
  }

  /**
   * The open pushes. A separate class, so that the classes of pushes stay unloaded if there is
   * none.
   */
  private static final class Opened {
    static Push toPyroscope(String endpoint, AgentConfig config, AgentReport report) {
      PushOptions options =
          PushOptions.pyroscope(endpoint)
              .withInterval(Duration.ofSeconds(config.pyroscopeIntervalSeconds()));
      if (!config.pyroscopeTenant().isEmpty()) {
        options = options.withTenant(config.pyroscopeTenant());
      }
      String file = config.pyroscopeTokenFile();
      if (file != null) {
        options =
            options.withCredentials(new PushCredentials(config.pyroscopeUser(), Path.of(file)));
      } else if (!config.pyroscopeUser().isEmpty()) {
        Log.line("pyroscopeUser: '" + config.pyroscopeUser() + "' without pyroscopeTokenFile");
      }
      return start(options, report);
    }

    static Push toOtlp(String endpoint, AgentConfig config, AgentReport report) {
      return start(
          PushOptions.otlpProfiles(endpoint)
              .withInterval(Duration.ofSeconds(config.otlpIntervalSeconds())),
          report);
    }

    private static Push start(PushOptions options, AgentReport report) {
      return Push.profiles(Hosts.of(report), options, Log::line);
    }
  }
}
