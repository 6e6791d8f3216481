/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import dev.cistern.exporter.http.MediaType;
import dev.cistern.exporter.http.Page;
import dev.cistern.exporter.http.Request;
import dev.cistern.exporter.http.Response;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.metrics.HostSeries;
import dev.cistern.exporter.metrics.MetricFamilies;
import dev.cistern.exporter.metrics.ProtobufMetrics;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.SiteStyle;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.exporter.schema.Detail;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code /metrics}, in the Prometheus text format 0.0.4, as OpenMetrics 1.0.0, or in the protobuf
 * format of Prometheus. OpenMetrics contains the start times of counters only with {@code
 * ?created=true}, because Prometheus would store each as a series.
 */
public final class MetricsPage implements Page {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final String PROTOBUF =
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
          + " encoding=delimited";

  /** Offered media types. The first is the default format. */
  private static final List<MediaType> OFFERS =
      List.of(MediaType.parse(TEXT), MediaType.parse(OPEN_METRICS), MediaType.parse(PROTOBUF));

  /** Series options for the figures of a host that has ended. They are read for each request. */
  private static final SeriesOptions EVERYTHING =
      SeriesOptions.DEFAULT
          .withDetail(Detail.ALL)
          .withSeriesLimit(SeriesOptions.MAX_SERIES)
          .withSites(SeriesOptions.MAX_SITES, SeriesOptions.MAX_SITES);

  private static final int MIN_BYTES = 32 << 10;

  private final CisternCollector collector;
  private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
  private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
  private final ExpositionFormatWriter openMetricsCreated =
      OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(true).build();

  /**
   * Expected size of the next response, from the size of the last. Written by any scraping thread.
   */
  private volatile int expectedBytes = MIN_BYTES;

  /** The last response of each kind, while another request uses it. */
  private final Map<Kind, WeakReference<Made>> lastMade = new ConcurrentHashMap<>();

  /** Parameters of a response. */
  private record Kind(SiteStyle style, MediaType type, boolean isCreated, Set<Detail> details) {}

  /** A response and the time when its reading began. */
  private record Made(long readNanos, Response response) {}

  public MetricsPage(CisternCollector collector) {
    this.collector = collector;
  }

  /** Writes the last figures of a host that has ended. */
  public static void writeLast(HostView state, OutputStream out) throws IOException {
    MetricFamilies families = new MetricFamilies(true, site -> site);
    new HostSeries(EVERYTHING).addLastTo(families, state);
    PrometheusTextFormatWriter.create()
        .write(out, families.build(), EscapingScheme.UNDERSCORE_ESCAPING);
  }

  /**
   * Reuses a reading that began after this request arrived, so that concurrent requests cost little
   * more than one.
   */
  @Override
  public Response respond(Request request) throws IOException {
    MediaType chosen = request.accept().choose(OFFERS);
    Set<Detail> details;
    try {
      String wanted = request.parameter("detail");
      details = wanted.isEmpty() ? collector.detail() : Detail.parse(wanted);
    } catch (IllegalArgumentException e) {
      return Response.line(Response.BAD_REQUEST, TextFormat.plain(String.valueOf(e.getMessage())));
    }
    Kind kind =
        new Kind(request.client().siteStyle(), chosen, request.asks("created=true"), details);
    WeakReference<Made> last = lastMade.get(kind);
    Made known = last == null ? null : last.get();
    if (known != null && known.readNanos() - request.receivedNanos() > 0) {
      return known.response();
    }
    Made made = new Made(System.nanoTime(), make(kind));
    lastMade.put(kind, new WeakReference<>(made));
    return made.response();
  }

  private Response make(Kind kind) throws IOException {
    MetricSnapshots families = collector.collect(kind.style(), kind.details());
    if (kind.type().equals(OFFERS.get(2))) {
      return Response.ok(PROTOBUF, ProtobufMetrics.encode(families));
    }
    boolean isText = kind.type().equals(OFFERS.get(0));
    ExpositionFormatWriter writer =
        isText ? text : kind.isCreated() ? openMetricsCreated : openMetrics;
    ByteArrayOutputStream body = new ByteArrayOutputStream(expectedBytes);
    writer.write(body, families, EscapingScheme.UNDERSCORE_ESCAPING);
    expectedBytes = Math.max(MIN_BYTES, body.size() + body.size() / 16);
    return Response.ok(isText ? TEXT : OPEN_METRICS, body.toByteArray());
  }
}
