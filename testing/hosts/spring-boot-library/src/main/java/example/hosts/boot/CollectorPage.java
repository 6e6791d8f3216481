/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.boot;

import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.metrics.CisternCollector;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The second way to export metrics: a registry of the Prometheus client. Both ways have the same
 * names, which a registry accepts only once. This registry is therefore not a bean, so that Spring
 * Boot does not use it.
 */
@RestController
final class CollectorPage {
  private final PrometheusRegistry registry = new PrometheusRegistry();

  CollectorPage(AllocatorSource source) {
    registry.register(new CisternCollector(source));
  }

  @GetMapping(path = "/collector", produces = MediaType.TEXT_PLAIN_VALUE)
  String metrics() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(out, registry.scrape());
    return out.toString(StandardCharsets.UTF_8);
  }
}
