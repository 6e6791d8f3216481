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
 * The second way: a registry of the Prometheus client. Spring Boot must not know it, since the
 * names are the same, and a registry takes no name twice; so it is no bean.
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
