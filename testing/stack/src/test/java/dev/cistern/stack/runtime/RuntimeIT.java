/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.cistern.exporter.web.TestKeys;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that docker/images/sidecar/modules.txt lists the modules that the sidecar needs. */
class RuntimeIT {
  private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");
  private static final String JAR = System.getProperty("cistern.exporter");

  /** A module that no class of the sidecar names. The JDK finds it at run time. */
  private static final String CURVES = "jdk.crypto.ec";

  private static final Pattern SERVES = Pattern.compile("https://[^ ]*:(\\d+)/metrics");

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long LIMIT_SECONDS = 120;

  @TempDir static Path root;
  private static Path runtime;

  @BeforeAll
  static void makeRuntime() throws Exception {
    runtime = root.resolve("runtime");
    run(
        List.of(
            Tool.path("jlink", "openjdk-17-jdk-headless"),
            "--add-modules",
            String.join(",", modules()),
            "--output",
            runtime.toString(),
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--compress=2"));
  }

  @Test
  void theListHasTheModulesOfTheClassesAndTheCurves() throws Exception {
    String printed =
        run(
            List.of(
                BIN.resolve("jdeps").toString(),
                "--multi-release",
                String.valueOf(Runtime.version().feature()),
                "--ignore-missing-deps",
                "--print-module-deps",
                JAR));
    Set<String> needed = new TreeSet<>(List.of(printed.strip().split(",", -1)));
    needed.add(CURVES);
    assertThat(modules()).containsExactlyInAnyOrderElementsOf(needed);
  }

  @Test
  void theSidecarServesOverTlsAndPushesWithNoOtherModules() throws Exception {
    AtomicLong pushedBytes = new AtomicLong();
    HttpServer receiver = receiver(pushedBytes);
    Path stats = Files.createDirectory(root.resolve("stats"));
    TestKeys keys = new TestKeys(root).authority("ca").signed("server", "ca");
    String endpoint = "http://127.0.0.1:" + receiver.getAddress().getPort();
    try (Started application = startApplication(stats);
        Started sidecar = startSidecar(stats, endpoint)) {
      String address = "https://127.0.0.1:" + sidecar.awaitLine(SERVES);
      HttpClient client = HttpClient.newBuilder().sslContext(trusting(keys, "ca")).build();
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(get(client, address + "/metrics").body())
                      .containsPattern("(?m)^cistern_host_up\\{.*} 1"));
      for (String page : List.of("/", "/-/ready", "/-/healthy", "/leaks", "/debug/pprof/heap")) {
        assertThat(get(client, address + page).statusCode()).as(page).isEqualTo(200);
      }
      await().atMost(LIMIT).untilAsserted(() -> assertThat(pushedBytes.get()).isPositive());
      System.out.printf(
          "The runtime has %d MiB, the sidecar on it %d MiB resident%n",
          bytes(runtime) >> 20, sidecar.residentBytes() >> 20);
      assertThat(sidecar.residentBytes()).isLessThan(128L << 20);
      application.stop();
      sidecar.stop();
      assertThat(sidecar.log())
          .doesNotContain("ClassNotFound", "NoClassDefFound", "NoSuchAlgorithm", "NoSuchProvider")
          .doesNotContain("ServiceConfigurationError", "Exception in thread");
    } finally {
      receiver.stop(0);
    }
  }

  private static Started startSidecar(Path stats, String endpoint) throws IOException {
    Path web = root.resolve("web.yml");
    Files.writeString(web, "tls_server_config:\n  cert_file: server.crt\n  key_file: server.key\n");
    return Started.start(
        root.resolve("sidecar.log"),
        Map.of(
            "CISTERN_STATS_DIRECTORY",
            stats.toString(),
            "CISTERN_LISTEN",
            "127.0.0.1:0",
            "CISTERN_WEB_CONFIG",
            web.toString(),
            "CISTERN_OTLP_ENDPOINT",
            endpoint,
            "CISTERN_OTLP_INTERVAL_SECONDS",
            "1",
            "MALLOC_ARENA_MAX",
            "1"),
        List.of(
            runtime.resolve("bin/java").toString(),
            "@" + Repository.path("bin/sidecar.options"),
            "-XX:-UsePerfData",
            "-jar",
            JAR));
  }

  private static Started startApplication(Path stats) throws IOException {
    Path target = Path.of(System.getProperty("cistern.demo.target"));
    String classes = target.resolve("cistern-demo.jar") + ":" + target.resolve("netty-4.1") + "/*";
    String agent = "-javaagent:" + System.getProperty("cistern.agent");
    return Started.start(
        root.resolve("application.log"),
        Map.of("CISTERN_STATS_DIRECTORY", stats.toString(), "CISTERN_LISTEN", "none"),
        List.of(
            BIN.resolve("java").toString(),
            agent,
            "-cp",
            classes,
            "example.app.Server",
            "--port",
            "0",
            "--tls-port",
            "none"));
  }

  private static HttpServer receiver(AtomicLong bytes) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/metrics", exchange -> take(exchange, bytes));
    server.start();
    return server;
  }

  private static void take(HttpExchange exchange, AtomicLong bytes) throws IOException {
    try (exchange) {
      bytes.addAndGet(exchange.getRequestBody().readAllBytes().length);
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static HttpResponse<String> get(HttpClient client, String address)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static SSLContext trusting(TestKeys keys, String authority)
      throws IOException, GeneralSecurityException {
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(keys.trusting(authority));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /** Returns the list without its comments, as the Dockerfile reads it. */
  private static List<String> modules() throws IOException {
    List<String> modules = new ArrayList<>();
    for (String line : Files.readAllLines(Repository.path("docker/images/sidecar/modules.txt"))) {
      String module = line.replaceFirst("#.*", "").strip();
      if (!module.isEmpty()) {
        modules.add(module);
      }
    }
    return modules;
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return outcome.printed();
  }
}
