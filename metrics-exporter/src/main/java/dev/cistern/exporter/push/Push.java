/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PushFigures;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.util.internal.DaemonThreads;
import java.util.List;
import java.util.function.Consumer;

/**
 * Pushes metrics or the live profile to a receiver at an interval. A daemon thread sends them.
 *
 * <pre>{@code
 * Push push = Push.profiles(source, PushOptions.pyroscope("http://pyroscope:4040"));
 * }</pre>
 *
 * <p>A receiver that is down, slow or full affects the push only: the request is dropped and
 * counted, and the next one is pushed. Each wait for the receiver has a limit of 10 s.
 */
public final class Push implements AutoCloseable, ExporterState.Source {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final PushClock.OfSystem clock = new PushClock.OfSystem();
  private final PushOptions options;
  private final PushLoop loop;

  private Push(Requests requests, PushOptions options, Consumer<String> log) {
    this.options = options;
    this.loop = new PushLoop(requests, options, log, clock, new HttpPost(TIMEOUT_MILLIS));
  }

  /** Pushes the live profile; failures are logged by {@code dev.cistern.push}. */
  public static Push profiles(StatsSource source, PushOptions options) {
    return profiles(Hosts.of(source), options, Push::log);
  }

  /**
   * Pushes the live profiles of hosts.
   *
   * @param log takes a line when pushes begin to fail, fail for another cause, or arrive again
   */
  public static Push profiles(Hosts hosts, PushOptions options, Consumer<String> log) {
    return start(new ProfileRequests(hosts, options.format()), options, log);
  }

  /** Pushes metrics; failures are logged by {@code dev.cistern.push}. */
  public static Push metrics(CisternCollector collector, PushOptions options) {
    return metrics(collector, options, Push::log);
  }

  /**
   * Pushes metrics: each push is one scrape of the collector.
   *
   * @param log takes a line when pushes begin to fail, fail for another cause, or arrive again
   */
  public static Push metrics(
      CisternCollector collector, PushOptions options, Consumer<String> log) {
    Requests.Pending scrape = collector::encodeOtlp;
    return start(() -> List.of(scrape), options, log);
  }

  private static void log(String line) {
    System.getLogger("dev.cistern.push").log(System.Logger.Level.WARNING, line);
  }

  private static Push start(Requests requests, PushOptions options, Consumer<String> log) {
    Push push = new Push(requests, options, log);
    DaemonThreads.create("cistern-push-" + options.format().label(), push.loop).start();
    return push;
  }

  /** Returns the receiver and the interval. */
  public PushOptions options() {
    return options;
  }

  /** Returns the figures of the pushes. Any thread may call it. */
  public PushFigures figures() {
    return loop.figures();
  }

  @Override
  public void addTo(ExporterState state) {
    state.add(options.format().label(), figures());
  }

  /** Ends without another push. Does not wait for a request that is being sent. */
  @Override
  public void close() {
    clock.close();
  }
}
