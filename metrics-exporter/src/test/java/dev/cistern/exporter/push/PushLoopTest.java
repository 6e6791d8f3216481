/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PushFigures;
import dev.cistern.exporter.report.StatsSource;
import dev.cistern.exporter.web.TestKeys;
import dev.cistern.testing.Web;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.PasswordAuthentication;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pushes keep their interval, and do no harm with any receiver. */
class PushLoopTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int TIMEOUT_MILLIS = 10_000;

  @TempDir private Path folder;
  private ProfileReceiver receiver;
  private ManualClock clock = minutes(1);
  private final List<String> log = new CopyOnWriteArrayList<>();

  /** Times of the requests, in seconds. */
  private final List<Double> times = new CopyOnWriteArrayList<>();

  @BeforeEach
  void listen() throws Exception {
    receiver = new ProfileReceiver();
    receiver.onRequest(() -> times.add(clock.seconds()));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private PushOptions options() {
    return PushOptions.pyroscope(receiver.endpoint());
  }

  /** Pushes one host for some minutes of the clock. */
  private PushFigures push(int minutes, PushOptions options) {
    return push(minutes, options, TIMEOUT_MILLIS, log::add);
  }

  private PushFigures push(
      int minutes, PushOptions options, int timeoutMillis, Consumer<String> lines) {
    clock = minutes(minutes);
    StatsSource source = () -> SidecarReports.report(SidecarReports.host(1), clock.millis(), 3);
    return push(Hosts.of(source), options, timeoutMillis, lines);
  }

  /** Returns a clock that ends before the push after this number of minutes. */
  private static ManualClock minutes(int minutes) {
    return new ManualClock(MINUTE.multipliedBy(minutes).plusSeconds(59));
  }

  private PushFigures push(
      Hosts hosts, PushOptions options, int timeoutMillis, Consumer<String> lines) {
    PushLoop loop =
        new PushLoop(
            new ProfileRequests(hosts, options.format()),
            options,
            lines,
            clock,
            new HttpPost(timeoutMillis));
    loop.run();
    return loop.figures();
  }

  @Test
  void theIntervalIsKept() {
    PushFigures figures = push(4, options());
    assertThat(times).containsExactly(60.0, 120.0, 180.0, 240.0);
    long bytes = receiver.requests().stream().mapToLong(request -> request.body().length).sum();
    assertThat(figures).isEqualTo(new PushFigures(4, bytes, 0, 0, clock.millis()));
    assertThat(log).isEmpty();
  }

  @Test
  void aSlowReceiverMissesPushesAndDoesNotShiftThem() {
    receiver.onRequest(
        () -> {
          times.add(clock.seconds());
          clock.pass(Duration.ofSeconds(90));
        });
    PushFigures figures = push(6, options());
    assertThat(times).containsExactly(60.0, 180.0, 300.0);
    assertThat(figures.pushes()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void aPassingFailureIsTriedAgainAfterABackOff(int status) {
    receiver.respondWith(status, status);
    PushFigures figures = push(1, options());
    assertThat(times).hasSize(3);
    assertThat(times.get(1) - times.get(0)).isBetween(0.5, 1.0);
    assertThat(times.get(2) - times.get(1)).isBetween(2.0, 4.0);
    assertThat(figures.pushes()).isEqualTo(1);
    assertThat(figures.failures()).isEqualTo(2);
    assertThat(figures.dropped()).isZero();
    assertThat(log).isEmpty();
    // The retry has the same profile, so the receiver can recognize it.
    assertThat(receiver.requests().get(2).body()).isEqualTo(receiver.requests().get(0).body());
  }

  @Test
  void aPushIsDroppedAfterThreeAttemptsAndTheLogSaysItOnce() {
    receiver.respondWith(503, 503, 503, 503, 503, 503);
    PushFigures figures = push(4, options());
    assertThat(figures.failures()).isEqualTo(6);
    assertThat(figures.dropped()).isEqualTo(2);
    assertThat(figures.pushes()).isEqualTo(2);
    String endpoint = receiver.endpoint();
    assertThat(log)
        .containsExactly(
            "cannot push the live profile to "
                + endpoint
                + ": status 503; this push is dropped, the next one is tried",
            "pushes to " + endpoint + " arrive again; dropped: 2");
  }

  @Test
  void anyStatusOfSuccessIsOne() {
    receiver.respondWith(202, 204);
    assertThat(push(2, options()).pushes()).isEqualTo(2);
  }

  @Test
  void theLogSaysWhenTheCauseChanges() {
    receiver.respondWith(500, 500, 401, 401);
    push(4, options());
    assertThat(log).hasSize(2);
    assertThat(log.get(0)).contains("status 500");
    assertThat(log.get(1)).contains("status 401");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 413, 500})
  void anotherFailureIsNotTriedAgainBeforeTheNextPush(int status) {
    receiver.respondWith(status);
    PushFigures figures = push(2, options());
    assertThat(times).containsExactly(60.0, 120.0);
    assertThat(figures.pushes()).isEqualTo(1);
    assertThat(figures.failures()).isEqualTo(1);
    assertThat(figures.dropped()).isEqualTo(1);
    assertThat(log.get(0)).contains("status " + status);
  }

  @Test
  void retryAfterInSecondsIsWaitedFor() {
    receiver.respondWith(429, Map.of("Retry-After", "7"));
    assertThat(push(2, options()).pushes()).isEqualTo(2);
    assertThat(times).containsExactly(60.0, 67.0, 120.0);
  }

  @Test
  void retryAfterAsADateIsWaitedFor() {
    Instant at = Instant.ofEpochMilli(clock.millis()).plusSeconds(75);
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(at.atZone(ZoneOffset.UTC));
    receiver.respondWith(503, Map.of("Retry-After", date));
    push(2, options());
    assertThat(times).containsExactly(60.0, 75.0, 120.0);
  }

  @Test
  void aLongRetryAfterDropsThePushAndSkipsTheNext() {
    receiver.respondWith(429, Map.of("Retry-After", "130"));
    PushFigures figures = push(5, options());
    assertThat(times).containsExactly(60.0, 240.0, 300.0);
    assertThat(figures.dropped()).isEqualTo(1);
    assertThat(figures.pushes()).isEqualTo(2);
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    try (ProfileReceiver other = new ProfileReceiver()) {
      receiver.respondWith(307, Map.of("Location", other.endpoint() + "/secret"));
      PushFigures figures = push(1, options());
      assertThat(other.requests()).isEmpty();
      assertThat(figures.dropped()).isEqualTo(1);
      assertThat(log.get(0)).contains("status 307, a redirect").doesNotContain("secret");
    }
  }

  @Test
  void aRefusedConnectionIsAFailure() throws Exception {
    PushFigures figures = push(1, PushOptions.pyroscope("http://127.0.0.1:" + Web.freePort()));
    assertThat(figures.failures()).isEqualTo(3);
    assertThat(figures.dropped()).isEqualTo(1);
    assertThat(log).hasSize(1);
    assertThat(log.get(0)).contains("ConnectException");
  }

  @Test
  void aReceiverThatHangsIsLeft() {
    receiver.hang();
    PushFigures figures = push(1, options(), 200, log::add);
    assertThat(figures.failures()).isEqualTo(3); // the loop sends one request at a time
    assertThat(figures.dropped()).isEqualTo(1);
    assertThat(log.get(0)).contains("SocketTimeoutException");
  }

  @Test
  void aResponseThatIsNotOfHttpIsAFailure() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> sendNonsense(server));
      thread.setDaemon(true);
      thread.start();
      PushFigures figures =
          push(1, PushOptions.pyroscope("http://127.0.0.1:" + server.getLocalPort()));
      assertThat(figures.failures()).isEqualTo(3);
      assertThat(figures.dropped()).isEqualTo(1);
    }
  }

  private static void sendNonsense(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        int unused = socket.getInputStream().read(new byte[1 << 16]);
        socket.getOutputStream().write("220 mail\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // The test has ended.
      }
    }
  }

  /** The receiver closes a connection without an announcement, as some do. */
  @Test
  void aConnectionIsNotUsedTwice() throws Exception {
    List<Socket> connections = new CopyOnWriteArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> respondOnce(server, connections));
      thread.setDaemon(true);
      thread.start();
      PushFigures figures =
          push(3, PushOptions.pyroscope("http://127.0.0.1:" + server.getLocalPort()));
      assertThat(figures.failures()).isZero();
      assertThat(figures.pushes()).isEqualTo(3);
      assertThat(connections).hasSize(3);
    } finally {
      for (Socket connection : connections) {
        connection.close();
      }
    }
  }

  /**
   * Responds to the first request of each connection, and leaves the connection open without
   * another response.
   */
  private static void respondOnce(ServerSocket server, List<Socket> connections) {
    byte[] response =
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.add(socket);
        int unused = socket.getInputStream().read(new byte[1 << 16]);
        socket.getOutputStream().write(response);
      } catch (IOException e) {
        // The test has ended.
      }
    }
  }

  @Test
  void aCertificateOfAnotherAuthorityIsRefused() throws Exception {
    TestKeys keys = new TestKeys(folder).authority("authority").signed("server", "authority");
    try (ProfileReceiver secure = new ProfileReceiver(tls(keys), "127.0.0.1")) {
      PushFigures figures = push(1, PushOptions.pyroscope(secure.endpoint()));
      assertThat(secure.requests()).isEmpty();
      assertThat(figures.failures()).isEqualTo(1); // another attempt would fail in the same way
      assertThat(figures.dropped()).isEqualTo(1);
      assertThat(log.get(0)).contains("TLS: ").contains("certification path");
    }
  }

  @Test
  void aCertificateThatTheJvmTrustsIsAcceptedForItsHostOnly() throws Exception {
    TestKeys keys = new TestKeys(folder).authority("authority").signed("server", "authority");
    SSLContext before = SSLContext.getDefault();
    SSLContext.setDefault(trusting(keys));
    HostnameVerifier careful = HttpsURLConnection.getDefaultHostnameVerifier();
    try (ProfileReceiver secure = new ProfileReceiver(tls(keys), "127.0.0.1");
        // The certificate does not have this address.
        ProfileReceiver impostor = new ProfileReceiver(tls(keys), "127.0.0.2")) {
      assertThat(push(1, PushOptions.pyroscope(secure.endpoint())).pushes()).isEqualTo(1);
      assertThat(log).isEmpty();
      // Some applications do this.
      HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
      assertThat(push(1, PushOptions.pyroscope(impostor.endpoint())).pushes()).isZero();
      assertThat(impostor.requests()).isEmpty();
    } finally {
      HttpsURLConnection.setDefaultHostnameVerifier(careful);
      SSLContext.setDefault(before);
    }
  }

  private static SSLContext tls(TestKeys keys) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys.storeOf("server"), keys.password());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static SSLContext trusting(TestKeys keys) throws Exception {
    KeyStore store = keys.trusting("authority");
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  @Test
  void aLoginIsSentAndReadAgainForEachPush() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "first\n");
    receiver.onRequest(
        () -> {
          try {
            Files.writeString(file, "second");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    push(2, options().withCredentials(new PushCredentials("", file)).withTenant("shop"));
    push(1, options().withCredentials(new PushCredentials("jane", file)));
    assertThat(receiver.requests())
        .extracting(request -> request.headers().get("authorization"))
        .containsExactly(
            "Bearer first",
            "Bearer second",
            "Basic "
                + Base64.getEncoder()
                    .encodeToString("jane:second".getBytes(StandardCharsets.UTF_8)));
    assertThat(receiver.requests())
        .extracting(request -> String.valueOf(request.headers().get("x-scope-orgid")))
        .containsExactly("shop", "shop", "null");
  }

  @Test
  void secretsAreNotLogged() throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "hush\r\nX-Evil: hush");
    PushOptions options =
        options()
            .withHeaders(Map.of("X-Key", "hush"))
            .withCredentials(new PushCredentials("", file));
    push(1, options);
    assertThat(receiver.requests()).isEmpty();
    Files.writeString(file, "hush");
    receiver.respondWith(401, 403, 500, 404, 429);
    push(6, options);
    assertThat(receiver.requests()).hasSizeGreaterThan(5);
    Files.delete(file);
    push(1, options);
    assertThat(log).hasSizeGreaterThan(5);
    assertThat(String.join("\n", log)).contains("tokenFile '" + file).doesNotContain("hush");
    assertThat(options.toString()).doesNotContain("hush");
  }

  @Test
  void theLoginOfTheApplicationIsNotUsed() throws Exception {
    Authenticator before = Authenticator.getDefault();
    Authenticator.setDefault(
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication("app", "secret".toCharArray());
          }
        });
    try {
      // The JDK keeps the application's login at this receiver for its next requests.
      Map<String, String> challenge = Map.of("WWW-Authenticate", "Basic realm=\"pyroscope\"");
      receiver.respondWith(401, challenge);
      HttpURLConnection application =
          (HttpURLConnection) URI.create(receiver.endpoint()).toURL().openConnection();
      assertThat(application.getResponseCode()).isEqualTo(200);
      assertThat(receiver.requests().get(1).headers()).containsKey("authorization");
      receiver.respondWith(401, challenge);
      PushFigures figures = push(1, options());
      assertThat(figures.failures()).isEqualTo(1);
      assertThat(receiver.requests()).hasSize(3);
      assertThat(receiver.requests().get(2).headers()).doesNotContainKey("authorization");
      assertThat(log.get(0)).contains("status 401");
    } finally {
      Authenticator.setDefault(before);
    }
  }

  /** Returns the hosts of a sidecar, which report at each push unless their state is fixed. */
  private static Hosts hosts(List<HostView> states) {
    return () -> states;
  }

  private HostView host(int number, HostView.State state, long timeMillis) {
    HostReport report = SidecarReports.report(SidecarReports.host(number), timeMillis, 3);
    return HostView.of(report).with(state, timeMillis);
  }

  @Test
  void allHostsThatRunArePushedAndOneThatDoesNotReportOnlyOnce() throws Exception {
    clock = minutes(2);
    Hosts hosts =
        () ->
            List.of(
                host(1, HostView.State.UP, clock.millis()),
                host(2, HostView.State.UP, 1_000),
                host(3, HostView.State.DIED, clock.millis()));
    PushFigures figures = push(hosts, options(), TIMEOUT_MILLIS, log::add);
    List<String> services = new ArrayList<>();
    for (ProfileReceiver.Request request : receiver.requests()) {
      PushSchema.read(request.body())
          .forEach(series -> services.add(series.labels().get("service_name")));
    }
    assertThat(services).containsExactly("shop-1", "shop-2", "shop-1");
    assertThat(figures.pushes()).isEqualTo(3);
  }

  @Test
  void aRefusedHostDoesNotDelayOtherHostsOrFillTheLog() {
    clock = minutes(3);
    Hosts hosts =
        () ->
            List.of(
                host(1, HostView.State.UP, clock.millis()),
                host(2, HostView.State.UP, clock.millis()));
    receiver.respondWith(413, 200, 413, 200, 413, 200);
    PushFigures figures = push(hosts, options(), TIMEOUT_MILLIS, log::add);
    assertThat(figures.pushes()).isEqualTo(3);
    assertThat(figures.dropped()).isEqualTo(3);
    assertThat(log).hasSize(1);
  }

  @Test
  void aReceiverThatIsDownIsNotTriedForEveryHost() {
    clock = minutes(1);
    List<HostView> states = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      states.add(host(i, HostView.State.UP, 1_000));
    }
    receiver.respondWith(503, 503, 503);
    PushFigures figures = push(hosts(states), options(), TIMEOUT_MILLIS, log::add);
    assertThat(receiver.requests()).hasSize(3);
    assertThat(figures.failures()).isEqualTo(3);
    assertThat(figures.dropped()).isEqualTo(10);
  }

  @Test
  void aSourceThatFailsCostsOnePush() {
    clock = minutes(3);
    AtomicInteger reports = new AtomicInteger();
    StatsSource source =
        () -> {
          if (reports.incrementAndGet() == 1) {
            throw new IllegalStateException("broken");
          }
          return SidecarReports.report(SidecarReports.host(1), clock.millis(), 3);
        };
    PushFigures figures = push(Hosts.of(source), options(), TIMEOUT_MILLIS, log::add);
    assertThat(figures.pushes()).isEqualTo(2);
    assertThat(figures.failures()).isEqualTo(1);
    assertThat(figures.dropped()).isEqualTo(1);
    assertThat(log.get(0)).contains("broken");
  }

  @Test
  void aHostWithoutLiveBuffersIsNotPushed() {
    clock = minutes(1);
    Hosts hosts =
        Hosts.of(() -> new HostReport(SidecarReports.host(1), clock.millis(), 0, List.of()));
    assertThat(push(hosts, options(), TIMEOUT_MILLIS, log::add)).isEqualTo(PushFigures.NONE);
    assertThat(receiver.requests()).isEmpty();
  }

  @Test
  void aLogThatFailsHarmsNothing() {
    receiver.respondWith(500, 500);
    PushFigures figures =
        push(
            3,
            options(),
            TIMEOUT_MILLIS,
            line -> {
              throw new IllegalStateException("no log");
            });
    assertThat(figures.pushes()).isEqualTo(1);
    assertThat(figures.dropped()).isEqualTo(2);
  }

  @Test
  void profilesThatAreRejectedInAnAcceptedRequestAreCounted() {
    ExportProfilesServiceResponse response =
        ExportProfilesServiceResponse.newBuilder()
            .setPartialSuccess(
                ExportProfilesPartialSuccess.newBuilder()
                    .setRejectedProfiles(2)
                    .setErrorMessage("too old"))
            .build();
    receiver.accept(response.toByteArray());
    receiver.accept(new byte[] {-1, -1, -1}); // not a response
    PushFigures figures = push(2, PushOptions.otlpProfiles(receiver.endpoint()));
    assertThat(figures.pushes()).isEqualTo(2);
    assertThat(figures.dropped()).isEqualTo(2);
    assertThat(log.get(0)).contains("rejected parts of a request");
  }
}
