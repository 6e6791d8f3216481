/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.AgentConfig;
import dev.cistern.exporter.StatsFileReport;
import dev.cistern.exporter.statsfile.OwnDirectory;
import dev.cistern.exporter.statsfile.StatsFileOptions;
import dev.cistern.exporter.statsfile.StatsFilePublisher;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The stats file of this JVM, begun when the first copy of Netty was found. Without it everything
 * else goes on.
 */
public final class StatsFile {
  private static final String AUTO = "auto";

  private final StatsFilePublisher publisher;

  private StatsFile(StatsFilePublisher publisher) {
    this.publisher = publisher;
  }

  /** Begins to write as configured; does not fail. */
  public static void open(AgentConfig config, Diagnostics diagnostics) {
    String directory = config.statsDirectory();
    if (directory == null) {
      return;
    }
    try {
      diagnostics.report().show(new StatsFile(start(config, diagnostics.report(), directory)));
    } catch (Throwable failure) {
      Log.line("dir = '" + directory + "': " + failure + "; there is no stats file");
    }
  }

  private static StatsFilePublisher start(
      AgentConfig config, AgentReport report, String directory) {
    boolean isAuto = directory.equals(AUTO);
    StatsFileOptions options =
        new StatsFileOptions(
            isAuto ? OwnDirectory.byDefault() : Path.of(directory),
            isAuto,
            config.statsFileBytes(),
            config.statsIntervalMillis());
    return StatsFilePublisher.start(options, report, report.host(), isAuto ? quiet() : loud());
  }

  /** Nobody asked for it: a failure is counted, and no more. */
  private static Consumer<String> quiet() {
    return new Consumer<>() { // no lambda: the first one of a JVM costs it milliseconds
      @Override
      public void accept(String line) {}
    };
  }

  private static Consumer<String> loud() {
    return new Consumer<>() {
      @Override
      public void accept(String line) {
        Log.line(line);
      }
    };
  }

  /** Has a report written at the next moment, and not at the next interval. */
  void writeSoon() {
    publisher.writeSoon();
  }

  /** How the writing goes. */
  StatsFileReport state() {
    return publisher.state();
  }
}
