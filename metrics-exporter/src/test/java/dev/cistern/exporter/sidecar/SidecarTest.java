/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.statsfile.WorstFiles;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sidecar over HTTP: two running hosts and one that died. */
class SidecarTest {
  private static final String GONE = "0000000000000003";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<StatsFileWriter> writers = new ArrayList<>();
  @TempDir private Path folder;
  private Sidecar sidecar;

  @BeforeEach
  void start() throws Exception {
    write(1);
    write(2);
    StatsFileWriter gone = write(3);
    gone.close();
    Files.write(gone.path(), WorstFiles.dead(Files.readAllBytes(gone.path())));
    SidecarConfig config =
        SidecarConfig.read(List.of("--statsDirectory=" + folder, "--listen=127.0.0.1:0"), Map.of());
    sidecar = Sidecar.start(config, line -> {});
    assertThat(get("/metrics").body()).contains("host_id=\"" + GONE + "\"} 0.0");
  }

  private StatsFileWriter write(int number) throws IOException {
    HostIdentity host = SidecarReports.host(number);
    StatsFileWriter writer = StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000);
    writers.add(writer);
    writer.write(HostView.of(SidecarReports.report(host, System.currentTimeMillis(), number)));
    return writer;
  }

  @AfterEach
  void stop() throws IOException {
    sidecar.close();
    for (StatsFileWriter writer : writers) {
      writer.close();
    }
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sidecar.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aScrapeShowsAllHostsAndTheSidecarItself() throws Exception {
    String metrics = get("/metrics").body();
    assertThat(metrics.lines().filter(line -> line.startsWith("cistern_host_up{"))).hasSize(3);
    assertThat(metrics)
        .contains("cistern_up 1.0\n", "cistern_sidecar_postmortems 1.0\n")
        .contains("cistern_sidecar_files_refused 0.0\n", "cistern_sidecar_failures_total 0.0\n");
  }

  @Test
  void pagesWithStacksAreOfOneHost() throws Exception {
    HttpResponse<String> which = get("/leaks");
    assertThat(which.statusCode()).isEqualTo(400);
    assertThat(which.body())
        .contains("0000000000000001  runs  shop-1")
        .contains(GONE + "  has died  shop-3");
    assertThat(get("/leaks?host=0000000000000002").body())
        .contains("in shop-2", "Cart.add:7", "at com.shop.Cart.add(Source.java:7)");
    assertThat(get("/leaks?host=" + GONE).body()).contains("at com.shop.Cart.add(Source.java:7)");
    assertThat(get("/live?host=0000000000000001").body()).contains("in shop-1");
    assertThat(get("/debug/pprof/heap?host=0000000000000001").statusCode()).isEqualTo(200);
    assertThat(get("/live?host=nobody").statusCode()).isEqualTo(404);
  }

  @Test
  void aPostMortemShowsTheEndAndTheLastReport() throws Exception {
    String list = get("/postmortem/").body();
    assertThat(list).contains("1 post-mortem", GONE + "  -> " + GONE + "/", "has died");
    String summary = get("/postmortem/" + GONE + "/").body();
    assertThat(summary)
        .contains("application shop-3", "direct: reserved", "leaked direct", "Cart.add:7")
        .contains("live direct")
        .contains("Verdict of the last report", "no diagnosis");
    assertThat(get("/postmortem/" + GONE + "/leaks").body()).contains("Cart.add:7", "found");
    assertThat(get("/postmortem/" + GONE + "/live").body()).contains("in shop-3");
    assertThat(get("/postmortem/" + GONE + "/metrics").body())
        .containsPattern("cistern_reserved_bytes[{].*shop-3")
        .containsPattern("cistern_host_up[{].*shop-3.*0.0");
    HttpResponse<String> profile = get("/postmortem/" + GONE + "/heap");
    assertThat(profile.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
    assertThat(get("/postmortem/", "Accept", "application/json").body())
        .contains("\"host_id\":\"" + GONE + "\"", "\"state\":\"died\"");
  }

  @Test
  void thePageShowsTheLastStateOfADeadHost() throws Exception {
    JsonObject state = JsonParser.object().from(get("/state?host=" + GONE).body());
    assertThat(state.getArray("hosts")).hasSize(3);
    JsonObject host = state.getObject("host");
    assertThat(host.getString("state")).isEqualTo("died");
    JsonObject copy = host.getArray("copies").getObject(0);
    assertThat(copy.getArray("pools")).hasSize(2);
    assertThat(copy.toString()).contains("com.shop.Cart.add:7");
  }

  @Test
  void aBrowserGetsLinks() throws Exception {
    String list = get("/postmortem/", "Accept", "text/html,*/*;q=0.8").body();
    assertThat(list).startsWith("<!DOCTYPE html>").contains("<a href=\"" + GONE + "/\">");
    HttpResponse<String> moved = get("/postmortem/" + GONE);
    assertThat(moved.statusCode()).isEqualTo(308);
    assertThat(moved.headers().firstValue("Location")).hasValue(GONE + "/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/postmortem/../../etc/passwd",
        "/postmortem/..%2f..%2fetc%2fpasswd",
        "/postmortem/%2e%2e/%2e%2e/etc/passwd",
        "/postmortem/0000000000000001/",
        "/postmortem/" + GONE + "/../0000000000000001.cistern",
        "/postmortem/" + GONE + "/%00",
        "/postmortem//",
        "/postmortem/" + GONE + ".cistern"
      })
  void aPathIsNeverTheNameOfAFile(String path) throws Exception {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(response.body()).doesNotContain("root:", "at dev.cistern");
  }

  @Test
  void aPortInUseIsNamedWithTheSetting() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      SidecarConfig config =
          SidecarConfig.read(
              List.of("--statsDirectory=" + folder, "--listen=127.0.0.1:" + taken.getLocalPort()),
              Map.of());
      assertThatThrownBy(() -> Sidecar.start(config, line -> {}))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("listen: 127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  void anUncreatableDirectoryForPostMortemsIsNamedWithTheSetting() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    SidecarConfig config =
        SidecarConfig.read(
            List.of("--statsDirectory=" + folder, "--postmortemDirectory=" + file.resolve("x")),
            Map.of());
    assertThatThrownBy(() -> Sidecar.start(config, line -> {}))
        .hasMessageStartingWith("postmortemDirectory = '" + file.resolve("x") + "' cannot be used");
  }
}
