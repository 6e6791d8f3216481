/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

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
import java.util.concurrent.atomic.AtomicReferenceArray;

/** {@code /metrics}, in the Prometheus text format 0.0.4 or as OpenMetrics 1.0.0. */
final class MetricsPage implements Page {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  /** The first is the answer to those who do not care. */
  private static final List<MediaType> OFFERS =
      List.of(MediaType.parse(TEXT), MediaType.parse(OPEN_METRICS));

  /** What is shown of a host that is gone: it is asked for once, and not stored. */
  private static final ExporterOptions EVERYTHING =
      ExporterOptions.DEFAULT
          .withDetail(Detail.ALL)
          .withSeriesLimit(ExporterOptions.MAX_SERIES)
          .withSites(CisternCollector.MAX_LEAK_SITES, CisternCollector.MAX_LIVE_SITES);

  private static final int LEAST_BYTES = 32 << 10;

  private final CisternCollector collector;
  private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
  private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

  /** About what the next answer will have: the size of the last. Set by any scraping thread. */
  private volatile int expectedBytes = LEAST_BYTES;

  /** The last answer of each kind, for as long as somebody else needs it. */
  private final AtomicReferenceArray<WeakReference<Made>> lastMade =
      new AtomicReferenceArray<>(2 * SiteStyle.values().length);

  /** An answer, and when its reading began. */
  private record Made(long readNanos, Answer answer) {}

  MetricsPage(CisternCollector collector) {
    this.collector = collector;
  }

  /** Writes the last figures of a host that is gone. */
  static void writeLast(HostState state, OutputStream out) throws IOException {
    Families families = new Families();
    new HostFamilies(state.report().host(), EVERYTHING).addLastTo(families, state);
    PrometheusTextFormatWriter.create()
        .write(out, families.build(), EscapingScheme.UNDERSCORE_ESCAPING);
  }

  /** Shares what was read since this request came, so that many at a time cost little more. */
  @Override
  public Answer answer(Request request) throws IOException {
    MediaType chosen = request.accept().choose(OFFERS);
    boolean isText = chosen.subtype().equals(OFFERS.get(0).subtype());
    SiteStyle style = request.caller().siteStyle();
    int place = 2 * style.ordinal() + (isText ? 0 : 1);
    WeakReference<Made> last = lastMade.get(place);
    Made known = last == null ? null : last.get();
    if (known != null && known.readNanos() - request.receivedNanos() > 0) {
      return known.answer();
    }
    Made made = new Made(System.nanoTime(), make(style, isText));
    lastMade.set(place, new WeakReference<>(made));
    return made.answer();
  }

  private Answer make(SiteStyle style, boolean isText) throws IOException {
    ExpositionFormatWriter writer = isText ? text : openMetrics;
    ByteArrayOutputStream body = new ByteArrayOutputStream(expectedBytes);
    MetricSnapshots families = collector.collect(style);
    writer.write(body, families, EscapingScheme.UNDERSCORE_ESCAPING);
    expectedBytes = Math.max(LEAST_BYTES, body.size() + body.size() / 16);
    return Answer.ok(isText ? TEXT : OPEN_METRICS, body.toByteArray());
  }
}
