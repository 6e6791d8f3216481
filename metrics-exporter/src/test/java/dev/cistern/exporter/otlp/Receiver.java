/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Takes pushes by OTLP over HTTP. */
public final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final AtomicInteger refused = new AtomicInteger();
  private final List<ExportMetricsServiceRequest> pushes = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private volatile @Nullable String tenant;

  /** Listens on that port of this machine, or any if it is 0. */
  public Receiver(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/v1/metrics", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream body = exchange.getRequestBody();
      byte[] bytes = (isZipped ? new GZIPInputStream(body) : body).readAllBytes();
      tenant = exchange.getRequestHeaders().getFirst("X-Tenant");
      if (status == 200) {
        pushes.add(ExportMetricsServiceRequest.parseFrom(bytes));
      } else {
        refused.incrementAndGet();
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Where to push to. */
  public String endpoint() {
    return "http://127.0.0.1:" + port();
  }

  void answer(int newStatus) {
    status = newStatus;
  }

  int refused() {
    return refused.get();
  }

  @Nullable String tenant() {
    return tenant;
  }

  /** How many pushes were taken. */
  public int pushes() {
    return pushes.size();
  }

  private ResourceMetrics last() {
    return pushes.get(pushes.size() - 1).getResourceMetrics(0);
  }

  Map<String, String> resource() {
    Map<String, String> attributes = new TreeMap<>();
    last()
        .getResource()
        .getAttributesList()
        .forEach(a -> attributes.put(a.getKey(), a.getValue().getStringValue()));
    return attributes;
  }

  /** The metrics of the last push. */
  List<Metric> metrics() {
    return last().getScopeMetrics(0).getMetricsList();
  }

  /** The series of the last push, by the names that Prometheus gives them. */
  public Map<String, Double> series() {
    Map<String, Double> series = new TreeMap<>();
    for (Metric metric : metrics()) {
      for (NumberDataPoint point : points(metric)) {
        series.put(name(metric) + labels(point.getAttributesList()), point.getAsDouble());
      }
    }
    return series;
  }

  static List<NumberDataPoint> points(Metric metric) {
    return metric.hasSum()
        ? metric.getSum().getDataPointsList()
        : metric.getGauge().getDataPointsList();
  }

  static String name(Metric metric) {
    String unit =
        switch (metric.getUnit()) {
          case "By" -> "_bytes";
          case "s" -> "_seconds";
          default -> metric.getUnit();
        };
    return metric.getName() + unit + (metric.hasSum() ? "_total" : "");
  }

  private static String labels(List<KeyValue> attributes) {
    Map<String, String> sorted = new TreeMap<>();
    attributes.forEach(a -> sorted.put(a.getKey(), a.getValue().getStringValue()));
    if (sorted.isEmpty()) {
      return "";
    }
    StringJoiner labels = new StringJoiner(",", "{", "}");
    sorted.forEach((name, value) -> labels.add(name + "=\"" + value + '"'));
    return labels.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
