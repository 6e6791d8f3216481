/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.ExporterOptions;
import dev.cistern.exporter.ExporterServer;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.push.Push;
import dev.cistern.exporter.push.PushFormat;
import dev.cistern.exporter.push.PushOptions;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.SidecarSource;
import dev.cistern.exporter.statsfile.UserDirectory;
import dev.cistern.util.internal.DaemonThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A running sidecar: it watches a directory, and serves the hosts and post-mortems in it. */
public final class Sidecar implements AutoCloseable {
  private final StatsDirectory directory;
  private final VolumeCheck volumeCheck;
  private final ExporterServer server;
  private final Thread watch;
  private final long scanMillis;

  private final List<Push> pushes;

  private Sidecar(
      StatsDirectory directory,
      VolumeCheck volumeCheck,
      ExporterServer server,
      List<Push> pushes,
      long scanMillis) {
    this.directory = directory;
    this.volumeCheck = volumeCheck;
    this.server = server;
    this.pushes = pushes;
    this.scanMillis = scanMillis;
    this.watch = DaemonThreads.create("cistern-sidecar", this::watch);
  }

  /**
   * Starts a sidecar.
   *
   * @param log takes messages for operators
   * @throws IOException if it cannot listen, or cannot keep post-mortems
   */
  static Sidecar start(SidecarConfig config, Consumer<String> log)
      throws IOException, SidecarConfig.BadSettingException {
    Path postMortems = config.postMortemDirectory();
    PostMortemStore store =
        new PostMortemStore(postMortems, config.retention(), log, System::currentTimeMillis);
    if (config.isUserDirectory()) {
      makeForUser(config.directory());
    }
    try {
      if (config.isOwnPostMortemDirectory()) {
        store.openOwn();
      } else {
        store.open();
      }
    } catch (IOException e) {
      throw new IOException("postmortemDirectory = '" + postMortems + "' cannot be used: " + e, e);
    }
    StatsDirectory directory =
        new StatsDirectory(config.directory(), store, log, System::currentTimeMillis);
    ControlWriter control = config.hasControl() ? new ControlWriter(config.directory(), log) : null;
    List<Push> pushes = pushes(config, directory, log);
    ExporterState.Source figures =
        to -> {
          directory.addTo(to);
          pushes.forEach(push -> push.addTo(to));
        };
    ExporterServer server =
        ExporterServer.start(
            config.listen(),
            directory,
            options(config, log).withFigures(figures),
            new SidecarSource(store, control));
    if (control != null && config.webConfig() == null) {
      log.accept("control = 'on' without webConfig: POST /control returns 403; set webConfig");
    }
    VolumeCheck volumeCheck = new VolumeCheck(config.directory(), log, System::nanoTime);
    Sidecar sidecar = new Sidecar(directory, volumeCheck, server, pushes, config.scanMillis());
    sidecar.watch.start();
    String host = config.listen().substring(0, config.listen().lastIndexOf(':'));
    log.accept(
        "watches "
            + config.directory()
            + ", metrics on "
            + server.scheme()
            + "://"
            + host
            + ":"
            + server.port()
            + "/metrics");
    volumeCheck.atStart(postMortems);
    return sidecar;
  }

  private static List<Push> pushes(
      SidecarConfig config, StatsDirectory directory, Consumer<String> log)
      throws SidecarConfig.BadSettingException {
    List<Push> pushes = new ArrayList<>();
    for (PushOptions options : config.pushes()) {
      pushes.add(
          options.format() == PushFormat.OTLP_METRICS
              ? Push.metrics(CisternCollector.ofHosts(directory, config.options()), options, log)
              : Push.profiles(directory, options, log));
      log.accept("pushes " + options);
    }
    return pushes;
  }

  private static void makeForUser(Path directory) throws IOException {
    try {
      UserDirectory.makeForUser(directory);
    } catch (IOException e) {
      throw new IOException("statsDirectory = 'auto' (" + directory + ") cannot be used: " + e, e);
    }
  }

  private static ExporterOptions options(SidecarConfig config, Consumer<String> log)
      throws SidecarConfig.BadSettingException {
    Path webConfig = config.webConfig();
    ExporterOptions options = ExporterOptions.DEFAULT.withSeries(config.options());
    return webConfig == null ? options : options.withWebConfig(webConfig, log);
  }

  private void watch() {
    try {
      while (true) {
        tick();
        Thread.sleep(scanMillis);
      }
    } catch (InterruptedException e) {
      // The sidecar is closed.
    }
  }

  /** Handles hosts that have ended. Continues after any failure. */
  private void tick() {
    try {
      directory.tick();
      volumeCheck.tick();
    } catch (RuntimeException | LinkageError | VirtualMachineError e) {
      directory.failed();
    }
  }

  /** Returns the port that the sidecar listens on. */
  public int port() {
    return server.port();
  }

  /** Stops serving; the post-mortems stay. */
  @Override
  public void close() {
    watch.interrupt();
    pushes.forEach(Push::close);
    server.close();
  }
}
