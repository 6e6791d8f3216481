/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
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
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A receiver of pushes by OTLP over HTTP. */
public final class MetricsReceiver implements AutoCloseable {
  private final HttpServer server;
  private final List<ExportMetricsServiceRequest> pushes = new CopyOnWriteArrayList<>();
  private volatile @Nullable String tenant;

  /** Listens on any port of this machine. */
  public MetricsReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/metrics", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      InputStream body = exchange.getRequestBody();
      byte[] bytes = (isZipped ? new GZIPInputStream(body) : body).readAllBytes();
      tenant = exchange.getRequestHeaders().getFirst("X-Tenant");
      pushes.add(ExportMetricsServiceRequest.parseFrom(bytes));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Returns the address for pushes. */
  public String endpoint() {
    return "http://127.0.0.1:" + port();
  }

  @Nullable String tenant() {
    return tenant;
  }

  /** Returns the number of received pushes. */
  public int pushes() {
    return pushes.size();
  }

  /** Returns the series of the last push, of all resources, by their names in Prometheus. */
  public Map<String, Double> series() {
    Map<String, Double> series = new TreeMap<>();
    for (ResourceMetrics resource : pushes.get(pushes.size() - 1).getResourceMetricsList()) {
      resource.getScopeMetrics(0).getMetricsList().forEach(metric -> add(metric, series));
    }
    return series;
  }

  private static void add(Metric metric, Map<String, Double> to) {
    String name = name(metric);
    for (NumberDataPoint point : points(metric)) {
      to.put(name + labels(point.getAttributesList()), point.getAsDouble());
    }
    for (ExponentialHistogramDataPoint point :
        metric.getExponentialHistogram().getDataPointsList()) {
      String labels = labels(point.getAttributesList());
      to.put(name + "_count" + labels, (double) point.getCount());
      to.put(name + "_sum" + labels, point.getSum());
    }
  }

  private static List<NumberDataPoint> points(Metric metric) {
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

  static Map<String, String> attributes(List<KeyValue> attributes) {
    Map<String, String> sorted = new TreeMap<>();
    attributes.forEach(a -> sorted.put(a.getKey(), a.getValue().getStringValue()));
    return sorted;
  }

  private static String labels(List<KeyValue> attributes) {
    if (attributes.isEmpty()) {
      return "";
    }
    StringJoiner labels = new StringJoiner(",", "{", "}");
    attributes(attributes).forEach((name, value) -> labels.add(name + "=\"" + value + '"'));
    return labels.toString();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
