/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Without TLS and passwords, the process loads no classes for them. */
@Timeout(60)
class WithoutWebConfigTest {
  @TempDir Path directory;

  @Test
  void nothingOfItIsLoaded() throws Exception {
    Path log = directory.resolve("classes.log");
    List<String> options = List.of("-Xmx64m", "-Xlog:class+load:file=" + log);
    try (EndpointProcess process = new EndpointProcess(directory, options)) {
      RawHttp client = RawHttp.plain(process.port());
      assertThat(client.get("/metrics")).startsWith("HTTP/1.1 200 ");
      assertThat(client.get("/leaks")).startsWith("HTTP/1.1 403 ");
    }
    assertThat(Files.readAllLines(log))
        .anyMatch(line -> line.contains("dev.cistern.exporter.ExporterServer "))
        .noneMatch(
            line ->
                line.contains("dev.cistern.exporter.web.")
                    || line.contains("dev.cistern.exporter.http.WebAccessControl")
                    || line.contains("org.snakeyaml")
                    || line.contains("at.favre")
                    || line.contains("sun.security.ssl"));
  }
}
