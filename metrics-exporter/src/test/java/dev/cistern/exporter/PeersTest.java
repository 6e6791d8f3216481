/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.view.DiagnosticsText;
import dev.cistern.exporter.view.PostMortemText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each output of the process masks addresses of peers, except for trusted clients. */
class PeersTest {
  private static final HostReport REPORT =
      Reports.host(Holders.watched(Reports.copy("io.netty", Reports.leaks())));

  /** Part of both addresses that must be masked. */
  private static final String SECRET = "77.99";

  private static final String SECRET_6 = "77:99";
  private static final String MASKED = "10.4.*.*";

  @TempDir private Path directory;

  private static String get(String path, String hostName) throws IOException {
    try (PageHost host = PageHost.of(REPORT)) {
      String response =
          RawHttp.plain(host.port())
              .send(
                  "GET "
                      + path
                      + " HTTP/1.1\r\nHost: "
                      + hostName
                      + "\r\nConnection: close\r\n\r\n");
      assertThat(response).startsWith("HTTP/1.1 200");
      return response;
    }
  }

  private static void assertMasked(String text) {
    assertThat(text).contains(MASKED).doesNotContain(SECRET, SECRET_6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/live", "/live?format=json", "/state"})
  void aTrustedClientSeesThem(String path) throws Exception {
    assertThat(get(path, "localhost")).contains(Holders.ADDRESS);
  }

  @Test
  void anotherClientSeesTheNetwork() throws Exception {
    String state = get("/state", Browser.FOREIGN_NAME);
    assertMasked(state);
    assertThat(state).doesNotContain("com.shop", "Aggregator", "HttpServerCodec");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/verdict",
        "/verdict?format=json",
        "/memory",
        "/leaks",
        "/metrics?detail=all",
        "/history"
      })
  void noOtherPageHasThem(String path) throws Exception {
    assertThat(get(path, "localhost")).doesNotContain(SECRET, SECRET_6);
  }

  @Test
  void aDumpHasTheNetwork() throws Exception {
    Path dump = new DiagnosticsDump(directory, () -> REPORT).write("test");
    assertMasked(Files.readString(dump.resolve("live.txt")));
    assertMasked(Files.readString(dump.resolve("live.json")));
    assertMasked(Files.readString(dump.resolve("verdict.txt")));
    try (Stream<Path> files = Files.list(dump)) {
      for (Path file : files.toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(SECRET, SECRET_6);
      }
    }
  }

  @Test
  void theTextsForManagementBeansHaveTheNetwork() {
    HostView host = HostView.of(REPORT);
    assertMasked(DiagnosticsText.live(host));
    assertMasked(DiagnosticsText.verdict(host));
    assertMasked(DiagnosticsText.state(host));
  }

  /** Sidecars, post-mortems and commands know only the content of the file. */
  @Test
  void aStatsFileHasTheNetwork() throws Exception {
    try (StatsFileWriter writer =
        StatsFileWriter.create(directory, REPORT.host(), StatsFileWriter.MAX_BYTES, 1_000)) {
      writer.write(HostView.withPeers(REPORT));
      byte[] bytes = Files.readAllBytes(writer.path());
      assertMasked(new String(bytes, StandardCharsets.ISO_8859_1));
      HostView read = Objects.requireNonNull(new StatsFileReader().read(bytes).report());
      PostMortem postMortem =
          new PostMortem(REPORT.host(), HostView.State.DIED, 1, 2, bytes.length);
      String summary = PostMortemText.summary(postMortem, read, History.NONE).plain();
      assertThat(summary).contains("Held by, io.netty:", "Pinned by slices", "Outbound queues");
      assertMasked(summary);
      for (String text :
          List.of(
              DiagnosticsText.live(read),
              DiagnosticsText.verdict(read),
              DiagnosticsText.state(read))) {
        assertMasked(text);
      }
    }
  }
}
