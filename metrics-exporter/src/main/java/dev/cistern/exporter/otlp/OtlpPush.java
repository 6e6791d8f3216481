/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import io.prometheus.metrics.exporter.opentelemetry.OpenTelemetryExporter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Consumer;

/**
 * Pushes the metrics of a collector to an OpenTelemetry receiver by OTLP, as protobuf over HTTP, by
 * the OpenTelemetry exporter of the Prometheus client, which an application brings itself.
 *
 * <pre>{@code
 * OtlpPush push =
 *     OtlpPush.start(
 *         new CisternCollector(source), new OtlpOptions("http://collector:4318", "shop"));
 * }</pre>
 *
 * <p>Each push is one scrape of the collector. A receiver that is down costs the push, and nothing
 * else: nothing is kept for later, and counters tell the sum with the next push that arrives. It is
 * logged at most once a minute.
 */
public final class OtlpPush implements AutoCloseable {
  /** Less than the least interval, so that pushes do not wait for each other. */
  private static final int TIMEOUT_SECONDS = 10;

  private final OpenTelemetryExporter exporter;
  private final PushLog log;

  private OtlpPush(OpenTelemetryExporter exporter, PushLog log) {
    this.exporter = exporter;
    this.log = log;
  }

  /** Starts; failures go to the logger {@code dev.cistern.otlp}. */
  public static OtlpPush start(MultiCollector collector, OtlpOptions options) {
    System.Logger logger = System.getLogger("dev.cistern.otlp");
    return start(collector, options, line -> logger.log(System.Logger.Level.WARNING, line));
  }

  /**
   * Starts.
   *
   * @param log takes a line when a push fails, at most one a minute
   */
  public static OtlpPush start(
      MultiCollector collector, OtlpOptions options, Consumer<String> log) {
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new InfoAsGauge(collector));
    int interval = (int) options.interval().toSeconds();
    OpenTelemetryExporter.Builder builder =
        OpenTelemetryExporter.builder()
            .registry(registry)
            .protocol("http/protobuf")
            .endpoint(options.endpoint())
            .intervalSeconds(interval)
            .timeoutSeconds(Math.min(TIMEOUT_SECONDS, interval))
            .serviceName(options.serviceName())
            // May hold what nobody should push.
            .resourceAttribute("process.command_line", "")
            .resourceAttribute("process.command_args", "");
    options.headers().forEach(builder::header);
    PushLog pushLog = PushLog.open(log);
    return new OtlpPush(builder.buildAndStart(), pushLog);
  }

  /** Pushes once more, and ends. */
  @Override
  public void close() {
    exporter.close();
    log.close();
  }
}
