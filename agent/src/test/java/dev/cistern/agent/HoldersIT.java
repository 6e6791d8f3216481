/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.stats.ChannelReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A host on Netty's transport: holders of its buffers, and unsent bytes of its channels. */
class HoldersIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String CHANNELS = "cistern_outbound_channels";
  private static final String HANDLERS =
      "HttpServerCodec > HttpObjectAggregator > Channels$Requests";

  /** Settings with frequent stats files. The bytes between two samples follow. */
  private static final String SETTINGS =
      "decayMillis=500,statsIntervalMillis=100," + AgentEndpoint.LISTEN + ",sampleIntervalBytes=";

  @TempDir private Path folder;

  private static HostJvm channels(String line, String loops) {
    return HostJvm.nettyWithTransport(line).main("example.host.Channels").argument(loops);
  }

  private static void awaitChannels(AgentEndpoint endpoint, int least) {
    await(least + " channels").atMost(LIMIT).until(() -> endpoint.sum(CHANNELS) >= least);
  }

  @ParameterizedTest
  @CsvSource({"4.1, nio, swap", "4.1, nio, observe", "4.2, nio, observe", "4.2, io, swap"})
  void holdersAndQueuesAreShownAndNothingIsLeftAfterOff(String line, String loops, String mode)
      throws Exception {
    String settings = SETTINGS + "16k,mode=" + mode + ",statsDirectory=" + folder.resolve("stats");
    try (RunningHost host = channels(line, loops).agent(settings).start()) {
      host.order("connect 1");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      host.order("connect 2");
      awaitChannels(endpoint, 2); // the first may be older than the instrumented registration
      host.order("pin");
      host.order("upload");
      String address = host.order("stall");
      assertShown(host, endpoint, address, line.equals("4.1"));
      assertAddressIsNowhereElse(endpoint, address);
      assertThat(endpoint.sum("cistern_leak_watch_failures_total")).isZero();
      assertThat(endpoint.sum("cistern_bridge_failures_total")).isZero();
      assertThat(host.order("watching")).as("channels and holders").isEqualTo("true true");
      host.order("drop");
      assertThat(host.order("closed")).as("closed channels that are kept alive").isEqualTo("0");
      assertNothingIsLeftAfterOff(host, endpoint);
      host.mode(mode, 100, "*");
      host.order("connect 1");
      awaitChannels(endpoint, 1);
      assertThat(host.exit()).isZero();
      assertThat(host.errors()).filteredOn(text -> !text.startsWith("cistern: ")).isEmpty();
    }
  }

  /**
   * Slices count when their buffer is ten seconds old, and are checked every ten seconds. Slices of
   * Netty 4.2's default allocator share the count of their buffer. So they must survive two
   * collections, and they prove nothing.
   */
  private static void assertShown(
      RunningHost host, AgentEndpoint endpoint, String address, boolean isCertain) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              host.order("collect");
              assertThat(live(endpoint))
                  .containsPattern( // at least 10 MB
                      "\"address\":\"" + address + "\",\"pending_bytes\":[0-9]{8,}")
                  .contains("\"handlers\":\"" + HANDLERS + "\"")
                  .containsPattern( // at least 1 MB
                      "HttpObjectAggregator\",\"place\":\"aggregator\",\"buffers\":[0-9.]+,"
                          + "\"bytes\":[0-9]{7,}")
                  .contains("\"place\":\"outbound\"")
                  .contains("\"covered_bytes\":1024,\"slices\":16,\"certain\":" + isCertain);
            });
  }

  /** Returns the JSON of live buffers in one line. */
  private static String live(AgentEndpoint endpoint) throws Exception {
    return endpoint.body("/live?format=json").replaceAll("\\n *", "");
  }

  private void assertAddressIsNowhereElse(AgentEndpoint endpoint, String address) throws Exception {
    String port = address.substring(address.indexOf(':'));
    assertThat(endpoint.body("/metrics")).doesNotContain(address).contains(CHANNELS);
    assertThat(endpoint.body("/verdict?format=json")).doesNotContain(address);
    Path file = statsFile();
    ChannelReport.Queue largest =
        await("a queue in the stats file")
            .atMost(LIMIT)
            .until(() -> largestQueue(file), Objects::nonNull);
    assertThat(largest.remoteAddress()).isEqualTo("127.0.*.*");
    assertThat(largest.handlers()).isEqualTo(HANDLERS);
    assertThat(largest.pendingBytes()).isGreaterThan(10_000_000);
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
        .doesNotContain(address)
        .doesNotContain("127.0.0.1" + port);
  }

  private Path statsFile() throws Exception {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder.resolve("stats"), "*.cistern")) {
      return files.iterator().next();
    }
  }

  private static ChannelReport.Queue largestQueue(Path file) throws Exception {
    HostView report = new StatsFileReader().read(file).report();
    List<ChannelReport.Queue> largest =
        report == null ? List.of() : report.copies().get(0).channels().largest();
    return largest.isEmpty() ? null : largest.get(0);
  }

  private void assertNothingIsLeftAfterOff(RunningHost host, AgentEndpoint endpoint)
      throws Exception {
    assertThat(host.wovenClasses(folder))
        .contains("AbstractUnsafe", "ByteToMessageDecoder", "CompositeByteBuf");
    host.mode("off", 100, "*");
    assertThat(host.order("watching")).as("channels and holders").isEqualTo("false false");
    await()
        .atMost(LIMIT)
        .until(() -> host.inventory().contains("; nothing of the agent is left in its classes"));
    assertThat(host.wovenClasses(folder)).isEmpty();
    assertThat(endpoint.metrics()).doesNotContain("cistern_outbound_").contains("cistern_");
    assertThat(live(endpoint)).doesNotContain(HANDLERS);
  }

  /**
   * The event loop lists its channels when one of them is active. Event loops of Netty 4.2 with an
   * {@code IoHandler} have no such list.
   */
  @ParameterizedTest
  @CsvSource({"4.1, nio, 4", "4.2, nio, 4", "4.2, io, 2"})
  @Tag("smoke")
  void channelsFromBeforeTheAttachAreKnownAfterTraffic(String line, String loops, int known)
      throws Exception {
    try (RunningHost host = channels(line, loops).start()) {
      host.order("connect 3");
      // a request needs 300 B, and a channel becomes known by the second sample
      host.attach(SETTINGS + "1k,statsDirectory=none,mode=observe");
      host.order("connect 0");
      AgentEndpoint endpoint = AgentEndpoint.of(host);
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                host.order("request");
                return endpoint.sum(CHANNELS) >= known - 1;
              });
      host.order("connect 1");
      await("each once").atMost(LIMIT).until(() -> endpoint.sum(CHANNELS) == known);
      assertThat(endpoint.sum("cistern_outbound_channels_dropped_total")).isZero();
      assertThat(endpoint.sum("cistern_leak_watch_failures_total")).isZero();
      assertThat(host.exit()).isZero();
    }
  }
}
