/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.exporter.dump.DiagnosticsDump;
import dev.cistern.exporter.http.PageTooLargeException;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.StatsSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExporterServerTest {
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private volatile StatsSource source = Reports::host;
  private ExporterServer server;

  @BeforeEach
  void start() throws IOException {
    server = ExporterServer.start("127.0.0.1:0", () -> source.report());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpResponse<byte[]> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .timeout(LIMIT)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private String get(String path, String... headers) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send("GET", path, headers);
    assertThat(response.statusCode()).isEqualTo(200);
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("none");
  }

  /** Sends exactly these bytes, and returns all bytes until the server closes the connection. */
  private String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void metricsAreTextByDefault() throws Exception {
    HttpResponse<byte[]> response = send("GET", "/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type"))
        .isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(new String(response.body(), StandardCharsets.UTF_8))
        .containsPattern("cistern_reserved_bytes\\{.*memory=\"direct\",pool=\"io.netty\"}")
        .doesNotContain("# EOF");
  }

  @Test
  void metricsAreOpenMetricsForClientsThatPreferThem() throws Exception {
    HttpResponse<byte[]> response =
        send(
            "GET",
            "/metrics",
            "Accept",
            "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5");
    assertThat(header(response, "Content-Type")).isEqualTo(OPEN_METRICS);
    assertThat(new String(response.body(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
  }

  @Test
  void gzipIsUsedOnlyIfItIsAllowed() throws Exception {
    String plain = get("/metrics");
    HttpResponse<byte[]> zipped = send("GET", "/metrics", "Accept-Encoding", "gzip");
    assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
    assertThat(header(zipped, "Vary")).contains("Accept-Encoding");
    assertThat(zipped.body().length).isLessThan(plain.length() / 3);
    try (InputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
      assertThat(unzipped.readAllBytes()).asString().contains("cistern_up 1");
    }
    HttpResponse<byte[]> refused = send("GET", "/metrics", "Accept-Encoding", "gzip;q=0");
    assertThat(header(refused, "Content-Encoding")).isEqualTo("none");
  }

  @Test
  void headHasTheHeadersOfGetAndNoBody() throws Exception {
    for (String path :
        List.of(
            "/metrics",
            "/leaks",
            "/live",
            "/debug/pprof/heap",
            "/",
            "/state",
            "/-/healthy",
            "/nothing")) {
      HttpResponse<byte[]> head = send("HEAD", path);
      HttpResponse<byte[]> get = send("GET", path);
      assertThat(head.statusCode()).isEqualTo(get.statusCode());
      assertThat(header(head, "Content-Type")).isEqualTo(header(get, "Content-Type"));
      assertThat(header(head, "Content-Length")).isNotEqualTo("none");
      assertThat(head.body()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "NONSENSE"})
  void otherMethodsAreNotAllowed(String method) throws Exception {
    for (String path :
        List.of("/metrics", "/leaks", "/live", "/debug/pprof/heap", "/", "/state", "/-/ready")) {
      HttpResponse<byte[]> response = send(method, path);
      assertThat(response.statusCode()).isEqualTo(405);
      assertThat(header(response, "Allow")).isEqualTo("GET, HEAD");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nothing",
        "/metrics/",
        "/metricsx",
        "/leaks/..",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//metrics",
        "/-/",
        "/%00",
      })
  void unknownPathsAreNotFound(String path) throws Exception {
    assertThat(raw("GET " + path + " HTTP/1.0\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 404 ");
  }

  @Test
  void malformedRequestsAreRefusedAndTheServerContinues() throws Exception {
    assertThat(raw("GET /%zz HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 400");
    assertThat(raw("GET\r\n\r\n")).doesNotContain("Exception");
    assertThat(raw("\u0000\u0001\u0002\r\n\r\n")).doesNotContain("Exception");
    assertThat(get("/-/healthy")).contains("healthy");
  }

  @Test
  void leaksAreTextForATerminal() throws Exception {
    String text = get("/leaks");
    GoldenFile.check("leaks.txt", text);
    assertThat(text).doesNotContain("\u001b");
  }

  @Test
  void leaksAreJsonOnRequest() throws Exception {
    String json = get("/leaks?format=json");
    assertThat(get("/leaks", "Accept", "application/json")).isEqualTo(json);
    assertThat(get("/leaks?format=text", "Accept", "application/json")).isEqualTo(get("/leaks"));
    JsonObject pool = JsonParser.object().from(json).getArray("pools").getObject(0);
    assertThat(pool.getString("pool")).isEqualTo("io.netty");
    JsonObject others = pool.getArray("others").getObject(0);
    assertThat(others.getLong("found")).isEqualTo(4);
    assertThat(others.getString("last_site")).isEqualTo("com.shop.Till.open:3");
    assertThat(pool.getArray("totals").getObject(0).getLong("estimated_bytes"))
        .isEqualTo(3_670_016);
    assertThat(pool.getArray("ranked").getObject(1).getString("site"))
        .isEqualTo("com.shop.Order.<init>:7");
    JsonArray leaks = pool.getArray("leaks");
    assertThat(leaks).hasSize(2);
    assertThat(leaks.getObject(0).getString("site")).isEqualTo("com.shop.Cart.encode:42");
    assertThat(leaks.getObject(0).getLong("estimated_bytes")).isEqualTo(1_572_864);
    assertThat(leaks.getObject(0).getArray("stack")).hasSize(3);
    assertThat(leaks.getObject(0).getInt("frames_folded")).isEqualTo(1);
    assertThat(leaks.getObject(0).getInt("frames_cut")).isEqualTo(9);
    assertThat(leaks.getObject(0).getString("first_seen")).isEqualTo("2026-11-20T12:00:01Z");
    JsonObject latest = leaks.getObject(0).getObject("latest");
    assertThat(latest.getString("thread")).isEqualTo(Reports.HOSTILE_THREAD);
    assertThat(latest.getString("kind")).isEqualTo("pooled");
    assertThat(latest.getLong("requested_bytes")).isEqualTo(2_000);
    assertThat(latest.getLong("slot_bytes")).isEqualTo(2_048);
    assertThat(latest.getLong("age_millis")).isEqualTo(6_100);
    assertThat(latest.getArray("accesses")).hasSize(2);
    assertThat(latest.getLong("accesses_dropped")).isEqualTo(3);
    JsonObject use = latest.getArray("accesses").getObject(1);
    assertThat(use.getString("operation")).isEqualTo("touch");
    assertThat(use.getString("hint")).isEqualTo("half\u0007 done");
    assertThat(use.getArray("stack")).isEmpty();
    assertThat(latest.getArray("ref_count_calls").getObject(0).getString("operation"))
        .isEqualTo("retain");
  }

  @Test
  void fullTextHasEveryFrame() throws Exception {
    String frame = "io.netty.buffer.AbstractByteBufAllocator.buffer(";
    for (String path : List.of("/leaks", "/live")) {
      assertThat(get(path)).doesNotContain(frame).contains("1 frame of Netty, the JDK and Cistern");
      assertThat(get(path + "?full=true")).contains(frame).doesNotContain("of Netty, the JDK");
    }
  }

  @Test
  void aSiteCanBeLookedForByPartOfItsName() throws Exception {
    assertThat(get("/leaks?site=order.%3Cinit"))
        .contains("Order.<init>:7")
        .doesNotContain("Cart.encode");
    assertThat(get("/live?site=Cart")).contains("SUSPECT").doesNotContain("Menu");
    assertThat(get("/leaks?site=%1b[31m"))
        .contains("contain \"?[31m\"", "no leak found")
        .doesNotContain("com.shop");
    JsonObject pool =
        JsonParser.object().from(get("/live?format=json&site=Menu")).getArray("pools").getObject(0);
    assertThat(pool.getArray("sites")).hasSize(1);
    assertThat(pool.getArray("totals").getObject(0).getLong("bytes")).isEqualTo(3_407_872);
  }

  @Test
  void theLiveProfileIsTextForATerminal() throws Exception {
    String text = get("/live");
    GoldenFile.check("live.txt", text);
    assertThat(text.indexOf("Cart")).isLessThan(text.indexOf("Menu"));
  }

  @Test
  void theLiveProfileIsJsonOnRequest() throws Exception {
    String json = get("/live", "Accept", "application/json");
    assertThat(get("/live?format=json")).isEqualTo(json);
    JsonObject pool = JsonParser.object().from(json).getArray("pools").getObject(0);
    assertThat(pool.getLong("sample_interval_bytes")).isEqualTo(524_288);
    assertThat(pool.getLong("sample_interval_largest_bytes")).isEqualTo(1_048_576);
    assertThat(pool.getLong("failed_samples")).isPositive();
    assertThat(pool.getLong("trends_dropped")).isEqualTo(8);
    assertThat(pool.getLong("without_stack")).isEqualTo(6);
    JsonObject suspect = pool.getArray("sites").getObject(0);
    assertThat(suspect.getBoolean("suspect")).isTrue();
    assertThat(suspect.getString("suspect_since")).isEqualTo("2026-11-20T12:00:09Z");
    assertThat(suspect.getLong("bytes")).isEqualTo((1 << 20) + (1 << 18));
    assertThat(suspect.getObject("bytes_by_age").getLong("under_10s")).isEqualTo(655_360);
    assertThat(suspect.getLong("growth_bytes_5_minutes")).isEqualTo(1_200_000);
    assertThat(suspect.getArray("stacks")).hasSize(2);
    assertThat(suspect.getArray("stacks").getObject(0).getArray("stack")).hasSize(3);
    JsonObject withoutStack = pool.getArray("sites").getObject(2);
    assertThat(withoutStack.getString("site")).isEqualTo("unknown");
    assertThat(withoutStack.getBoolean("suspect")).isFalse();
  }

  @Test
  void theProfileIsCompressedOnceForAnyAcceptHeader() throws Exception {
    byte[] plain = send("GET", "/debug/pprof/heap").body();
    HttpResponse<byte[]> response = send("GET", "/debug/pprof/heap", "Accept-Encoding", "gzip");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(plain);
    assertThat(header(response, "Content-Type")).isEqualTo("application/octet-stream");
    assertThat(header(response, "Content-Encoding")).isEqualTo("none");
    assertThat(header(response, "Content-Disposition")).contains("heap.pb.gz");
    try (InputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(plain))) {
      assertThat(unzipped.readAllBytes()).hasSizeGreaterThan(100);
    }
  }

  @Test
  void withoutADirectoryThereIsNoDump() throws Exception {
    HttpResponse<byte[]> response = send("POST", "/debug/dump");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("dumpDirectory");
  }

  @Test
  void aDumpIsWrittenOnRequestAndTheResponseHasItsPath(@TempDir Path directory) throws Exception {
    server.close();
    DiagnosticsDump dump = new DiagnosticsDump(directory, Reports::host);
    server =
        ExporterServer.start("127.0.0.1:0", Reports::host, ExporterOptions.DEFAULT.withDump(dump));
    HttpResponse<byte[]> get = send("GET", "/debug/dump");
    assertThat(get.statusCode()).isEqualTo(405);
    assertThat(header(get, "Allow")).isEqualTo("POST");
    assertThat(directory).isEmptyDirectory();
    HttpResponse<byte[]> response = send("POST", "/debug/dump");
    assertThat(response.statusCode()).isEqualTo(200);
    Path written = Path.of(new String(response.body(), StandardCharsets.UTF_8).trim());
    assertThat(written.getParent()).isEqualTo(directory);
    assertThat(written.resolve("leaks.txt")).isRegularFile();
    assertThat(get("/metrics")).contains("cistern_dumps_total 1.0");
  }

  @Test
  void aPageFromElsewhereCannotHaveADumpWritten(@TempDir Path directory) throws Exception {
    server.close();
    DiagnosticsDump dump = new DiagnosticsDump(directory, Reports::host);
    server =
        ExporterServer.start("127.0.0.1:0", Reports::host, ExporterOptions.DEFAULT.withDump(dump));
    for (String headers :
        List.of(
            "Host: evil.example\r\n",
            "Host: localhost\r\nOrigin: https://evil.example\r\n",
            "Host: localhost\r\nOrigin: http://localhost.evil.example\r\n",
            "Host: localhost\r\nOrigin: null\r\n")) {
      assertThat(raw("POST /debug/dump HTTP/1.0\r\n" + headers + "\r\n"))
          .startsWith("HTTP/1.1 403 ");
    }
    assertThat(directory).isEmptyDirectory();
    String page = "Host: localhost:9471\r\nOrigin: http://localhost:9471\r\n";
    assertThat(raw("POST /debug/dump HTTP/1.0\r\n" + page + "\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void leaksAreShownOnlyToThisMachineUnderItsOwnName() throws Exception {
    for (String host : List.of("evil.example", "localhost.evil.example", "192.168.1.5")) {
      for (String path : List.of("/leaks", "/live", "/debug/pprof/heap")) {
        String response = raw("GET " + path + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n");
        assertThat(response).startsWith("HTTP/1.1 403 ").doesNotContain("com.shop");
      }
      // All clients see what shows no stack.
      assertThat(raw("GET /metrics HTTP/1.0\r\nHost: " + host + "\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ");
    }
    assertThat(raw("GET /leaks HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(raw("GET /leaks HTTP/1.0\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ");
    assertThat(raw("GET /leaks HTTP/1.0\r\nHost: localhost:1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void clientsOnThisMachineSeeNamesOfSitesAndOtherClientsHashes() throws Exception {
    assertThat(get("/metrics")).contains("com.shop.Cart.encode:42");
    for (String accept : List.of("text/plain", "application/openmetrics-text")) {
      assertThat(
              raw("GET /metrics HTTP/1.0\r\nHost: shop.example\r\nAccept: " + accept + "\r\n\r\n"))
          .startsWith("HTTP/1.1 200 ")
          .contains("site=\"" + SiteLabelTest.CART_HASH + "\"")
          .doesNotContain("com.shop");
    }
  }

  @Test
  void aHashLeadsToItsSite() throws Exception {
    for (String path : List.of("/leaks", "/live")) {
      assertThat(get(path)).contains("Cart.encode:42 (hash " + SiteLabelTest.CART_HASH + ")");
      assertThat(get(path + "?format=json"))
          .contains("\"site_hash\":\"" + SiteLabelTest.CART_HASH + "\"");
      assertThat(get(path + "?site=" + SiteLabelTest.CART_HASH))
          .contains("Cart.encode:42 (hash ")
          .doesNotContain("Order.", "Menu.");
    }
  }

  @Test
  void leaksAreNotShownToAnotherAddress() throws Exception {
    List<InetAddress> addresses = NetworkAddresses.ofThisMachine();
    assumeFalse(addresses.isEmpty(), "this machine has only a loopback address");
    try (ExporterServer everywhere = ExporterServer.start("0.0.0.0:0", Reports::host)) {
      HttpResponse<String> response =
          client.send(
              HttpRequest.newBuilder(
                      URI.create(
                          "http://"
                              + addresses.get(0).getHostAddress()
                              + ":"
                              + everywhere.port()
                              + "/leaks"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(403);
    }
  }

  @Test
  void theReportsOfAHostWithoutAPoolSaySo() throws Exception {
    source = () -> Reports.host(new PoolReport[0]);
    assertThat(get("/leaks")).contains("No pool yet");
    assertThat(get("/live")).contains("No pool yet");
    assertThat(send("GET", "/debug/pprof/heap").statusCode()).isEqualTo(200);
  }

  @Test
  void healthAndReadinessShowWhetherAScrapeWouldWork() throws Exception {
    assertThat(get("/-/healthy")).isEqualTo("Cistern is healthy.\n");
    assertThat(get("/-/ready")).isEqualTo("Cistern is ready.\n");
    source = ExporterServerTest::fail;
    assertThat(get("/-/healthy")).isEqualTo("Cistern is healthy.\n");
    // The server checks readiness once a second.
    await().atMost(LIMIT).until(() -> send("GET", "/-/ready").statusCode() == 503);
  }

  private static HostReport fail() {
    throw new IllegalStateException("the secret of this host");
  }

  @Test
  void aSourceThatFailsDoesNotShowWhyAndDoesNotEndTheServer() throws Exception {
    source = ExporterServerTest::fail;
    for (String path :
        List.of("/state", "/leaks", "/live", "/debug/pprof/heap", "/metrics", "/-/ready")) {
      HttpResponse<byte[]> response = send("GET", path);
      assertThat(new String(response.body(), StandardCharsets.UTF_8))
          .doesNotContain("secret")
          .doesNotContain("Exception")
          .doesNotContain("\tat ");
    }
    assertThat(send("GET", "/leaks").statusCode()).isEqualTo(500);
    assertThat(get("/metrics")).contains("cistern_up 0");
    source = Reports::host;
    assertThat(get("/metrics")).contains("cistern_up 1");
  }

  @Test
  void aRequestForATooLargePageGetsTheReason() throws Exception {
    Hosts large =
        new Hosts() {
          @Override
          public List<HostView> all() {
            return List.of(HostView.of(Reports.host()));
          }

          @Override
          public HostView fullReport(HostView state) throws IOException {
            throw new PageTooLargeException("9 bytes (expected: 8 at most, a part of -Xmx)");
          }
        };
    try (ExporterServer other =
        ExporterServer.start("127.0.0.1:0", large, ExporterOptions.DEFAULT, null)) {
      RawHttp client = RawHttp.plain(other.port());
      assertThat(client.send("GET /leaks HTTP/1.0\r\nHost: localhost\r\n\r\n"))
          .startsWith("HTTP/1.1 503 ")
          .endsWith("could not make this page: 9 bytes (expected: 8 at most, a part of -Xmx)\n");
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      IOException e =
          assertThrows(IOException.class, () -> ExporterServer.start(listen, Reports::host));
      assertThat(e).hasMessageContaining("listen: " + listen);
    }
  }

  @Test
  void itsThreadsKeepNeitherTheProcessAliveNorTheStartersLoader() throws Exception {
    get("/metrics");
    List<Thread> threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> t.getName().startsWith("cistern-exporter"))
            .toList();
    assertThat(threads).isNotEmpty();
    assertThat(threads).allMatch(Thread::isDaemon);
    assertThat(threads).allMatch(t -> t.getContextClassLoader() == null);
  }

  @Test
  void slowClientsDoNotBlockOtherClients() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 12; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write("GET /met".getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
        slow.add(socket);
      }
      assertThat(get("/metrics")).contains("cistern_up 1");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private String text(String path, String... headers) throws IOException, InterruptedException {
    return new String(send("GET", path, headers).body(), StandardCharsets.UTF_8);
  }

  @Test
  void aScrapeChoosesItsDetail() throws Exception {
    assertThat(text("/metrics")).doesNotContain("cistern_arena_reserved_bytes");
    assertThat(text("/metrics?detail=arenas"))
        .contains("cistern_arena_reserved_bytes{")
        .doesNotContain("cistern_thread_cache_trims_total{");
    assertThat(text("/metrics?detail=internals"))
        .contains("cistern_thread_cache_trims_total{")
        .doesNotContain("cistern_arena_reserved_bytes");
    HttpResponse<byte[]> unknown = send("GET", "/metrics?detail=arenas,none-such");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(new String(unknown.body(), StandardCharsets.UTF_8))
        .contains("none-such", "internals", "arenas", "sizes");
  }

  @Test
  void timesWhenCountersBeganAreShownOnRequest() throws Exception {
    String start = "cistern_failed_allocations_created{";
    assertThat(text("/metrics", "Accept", OPEN_METRICS)).doesNotContain("_created");
    assertThat(text("/metrics?created=true", "Accept", OPEN_METRICS)).contains(start);
  }

  @Test
  void aCollectionIsRequestedOnceInTenSecondsAndNotByOtherPages() throws Exception {
    assertThat(send("GET", "/debug/gc").statusCode()).isEqualTo(405);
    assertThat(send("POST", "/debug/gc", "Origin", "https://evil.example").statusCode())
        .isEqualTo(403);
    HttpResponse<byte[]> first = send("POST", "/debug/gc");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(new String(first.body(), StandardCharsets.UTF_8)).startsWith("The collection took ");
    assertThat(send("POST", "/debug/gc").statusCode()).isEqualTo(429);
  }

  /**
   * The endpoint records a history only if the source has no stats file; a source such as an agent
   * has one later.
   */
  @Test
  void theHistoryOfTheSourceIsServedOnceItHasOne() throws Exception {
    History.Point point = new History.Point(4_711, List.of(), List.of());
    AtomicBoolean isKeeping = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    StatsSource source =
        new StatsSource() {
          @Override
          public HostReport report() {
            return Reports.host();
          }

          @Override
          public HostReport sites() {
            reads.incrementAndGet();
            return Reports.host();
          }

          @Override
          public boolean hasHistory() {
            return isKeeping.get();
          }

          @Override
          public @Nullable History history() {
            return isKeeping.get() ? new History(List.of(), List.of(point, point)) : null;
          }
        };
    server.close();
    server = ExporterServer.start("127.0.0.1:0", source);
    await().until(() -> text("/history").matches("\\{\"times_millis\":\\[\\d{13}.*"));
    assertThat(reads).hasPositiveValue();
    isKeeping.set(true);
    await().until(() -> text("/history").startsWith("{\"times_millis\":[4711,4711]"));
  }
}
