/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.http.ZippedBody;
import dev.cistern.exporter.metrics.CisternCollector;
import dev.cistern.exporter.page.ReportForm;
import dev.cistern.exporter.profile.HeapProfile;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.view.DiagnosticsText;
import dev.cistern.exporter.view.LeaksJson;
import dev.cistern.exporter.view.LeaksText;
import dev.cistern.exporter.view.LiveJson;
import dev.cistern.exporter.view.LiveText;
import dev.cistern.exporter.view.ReportOptions;
import dev.cistern.exporter.view.StateJson;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LiveStack;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stores at their limits: pages stay readable, fast and affordable for a host. */
class HugeReportTest {
  private static final int LEAKS = 512;
  private static final int LIVE_STACKS = 2_048;
  private static final int FRAMES = 60;
  private static final int ACCESSES = 8;
  private static final long LIMIT_MILLIS = 10_000;

  private static final HostReport REPORT = report();
  private static final HostView HOST = HostView.of(REPORT);

  private static CallStack stack(int number) {
    List<String> frames =
        IntStream.range(0, FRAMES)
            .mapToObj(
                i -> "com.example.application.Service" + i + ".handle(Service.java:" + i + ")")
            .toList();
    List<String> own = new ArrayList<>(frames);
    own.set(7, "com.example.application.Site" + number + ".allocate(Site.java:" + number + ")");
    return new CallStack(
        "com.example.application.Site" + number + ".allocate:" + number, own, 7, 0);
  }

  static HostReport report() {
    List<LeakEntry> leaks = new ArrayList<>();
    for (int i = 0; i < LEAKS; i++) {
      LeakAccess access = new LeakAccess("writeLong", "hint", "thread", 5, 3, stack(i));
      List<LeakAccess> trail = Collections.nCopies(ACCESSES, access);
      leaks.add(
          new LeakEntry(
              1,
              2,
              1_000 + i,
              0,
              1,
              new LeakRecord("direct", "pooled", 1, 2, "t", 0, 1, stack(i), trail, 0, trail, 0)));
    }
    List<LiveStack> stacks = new ArrayList<>();
    for (int i = 0; i < LIVE_STACKS; i++) {
      stacks.add(new LiveStack("direct", stack(i), 0, 0, Reports.estimate(1, 1_000 + i)));
    }
    return Reports.host(
        Reports.copy("io.netty", Reports.leaks(leaks), Reports.live(stacks, List.of())));
  }

  /** Runs a task twice, and prints the duration of the second run and the size of its result. */
  private static byte[] timed(String what, Callable<byte[]> page) throws Exception {
    page.call();
    long start = System.nanoTime();
    byte[] bytes = page.call();
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    System.out.printf(Locale.ROOT, "%s: %d ms, %,d bytes%n", what, millis, bytes.length);
    assertThat(millis).as(what).isLessThan(LIMIT_MILLIS);
    return bytes;
  }

  private static byte[] timed(String what, ReportForm form, ReportOptions options)
      throws Exception {
    return timed(
        what,
        () -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          form.write(HOST, options, out);
          return out.toByteArray();
        });
  }

  @Test
  void textForATerminalIsShort() throws Exception {
    assertThat(timed("live text", LiveText::write, ReportOptions.FOLDED))
        .hasSizeLessThan(200 << 10);
    assertThat(timed("leaks text", LeaksText::write, ReportOptions.FOLDED))
        .hasSizeLessThan(400 << 10);
  }

  @Test
  void everythingCanBeHad() throws Exception {
    timed("leaks text, full", LeaksText::write, ReportOptions.FULL);
    timed("live text, full", LiveText::write, ReportOptions.FULL);
    byte[] leaks = timed("leaks JSON", LeaksJson::write, ReportOptions.FOLDED);
    assertThat(leaks).hasSizeLessThan(80 << 20);
    byte[] live = timed("live JSON", LiveJson::write, ReportOptions.FOLDED);
    String json = new String(live, StandardCharsets.UTF_8);
    assertThat(JsonParser.object().from(json).getArray("pools").getObject(0).getArray("sites"))
        .hasSize(LIVE_STACKS);
  }

  @Test
  void theProfileIsSmall() throws Exception {
    byte[] profile = timed("profile", () -> HeapProfile.gzipped(HOST, Map.of(), false));
    assertThat(profile).hasSizeLessThan(1 << 20);
    assertThat(ProfileSchema.parts(ProfileSchema.read(profile), "sample")).hasSize(LIVE_STACKS);
  }

  @Test
  void aScrapeIsAsSmallAsEver() throws Exception {
    CisternCollector collector = new CisternCollector(() -> REPORT);
    byte[] scrape = timed("scrape", () -> Scrape.text(collector).getBytes(StandardCharsets.UTF_8));
    assertThat(scrape).hasSizeLessThan(100 << 10);
  }

  @Test
  void thePageGetsABoundedPart() throws Exception {
    byte[] state =
        timed("state", () -> DiagnosticsText.state(HOST).getBytes(StandardCharsets.UTF_8));
    assertThat(state).hasSizeLessThan(500 << 10);
    assertThat(new String(state, StandardCharsets.UTF_8))
        .contains("\"live_sites_not_listed\":" + (LIVE_STACKS - StateJson.MAX_SITES));
  }

  @Test
  void aLargePageIsHeldCompressedAndSentWhole() throws Exception {
    byte[] plain = timed("leaks JSON", LeaksJson::write, ReportOptions.FOLDED);
    byte[] zipped =
        timed(
            "leaks JSON, compressed",
            () -> ZippedBody.of(out -> LeaksJson.write(HOST, ReportOptions.FOLDED, out)).zipped());
    assertThat(zipped).hasSizeLessThan(2 << 20);
    try (ExporterServer server = ExporterServer.start("127.0.0.1:0", () -> REPORT)) {
      URI page = URI.create("http://127.0.0.1:" + server.port() + "/leaks?format=json");
      HttpClient client = HttpClient.newHttpClient();
      HttpResponse<byte[]> response =
          client.send(
              HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofByteArray());
      assertThat(response.headers().firstValueAsLong("Content-Length")).hasValue(plain.length);
      assertThat(Arrays.equals(response.body(), plain)).isTrue();
      HttpResponse<byte[]> gzip =
          client.send(
              HttpRequest.newBuilder(page).header("Accept-Encoding", "gzip").build(),
              HttpResponse.BodyHandlers.ofByteArray());
      assertThat(gzip.headers().firstValue("Content-Encoding")).hasValue("gzip");
      assertThat(Arrays.equals(gzip.body(), zipped)).isTrue();
    }
  }
}
