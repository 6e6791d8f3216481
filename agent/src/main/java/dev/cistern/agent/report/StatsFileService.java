/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.log.Log;
import dev.cistern.exporter.statsfile.StatsFileOptions;
import dev.cistern.exporter.statsfile.StatsFilePublisher;
import dev.cistern.exporter.statsfile.UserDirectory;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The stats file of this JVM. */
final class StatsFileService {
  private static final String AUTO = "auto";

  private StatsFileService() {}

  /** Starts to write the file as configured. Logs a failure instead of throwing it. */
  static void open(AgentConfig config, AgentReport report) {
    String directory = config.statsDirectory();
    if (directory == null) {
      return;
    }
    try {
      report.show(start(config, report, directory));
    } catch (Throwable failure) {
      Log.line("statsDirectory: '" + directory + "': " + failure + "; there is no stats file");
    }
  }

  /** Returns the directory of the stats file; null if none is written. */
  static @Nullable Path directory(AgentConfig config) {
    String directory = config.statsDirectory();
    if (directory == null) {
      return null;
    }
    return directory.equals(AUTO) ? UserDirectory.byDefault() : Path.of(directory);
  }

  private static StatsFilePublisher start(
      AgentConfig config, AgentReport report, String directory) {
    boolean isAuto = directory.equals(AUTO);
    StatsFileOptions options =
        new StatsFileOptions(
            Objects.requireNonNull(directory(config)),
            isAuto,
            config.statsFileBytes(),
            config.statsIntervalMillis());
    return StatsFilePublisher.start(
        options, report, report.host(), isAuto ? silentLog() : agentLog());
  }

  /**
   * Returns a log that drops its lines. No setting requests the file, so a failure is only counted.
   */
  private static Consumer<String> silentLog() {
    return new Consumer<>() { // no lambda: a JVM's first lambda costs milliseconds
      @Override
      public void accept(String line) {}
    };
  }

  private static Consumer<String> agentLog() {
    return new Consumer<>() {
      @Override
      public void accept(String line) {
        Log.line(line);
      }
    };
  }
}
