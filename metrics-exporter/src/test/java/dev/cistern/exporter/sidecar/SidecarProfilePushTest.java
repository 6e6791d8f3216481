/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.push.ProfileReceiver;
import dev.cistern.exporter.push.PushCredentials;
import dev.cistern.exporter.push.PushOptions;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A sidecar pushes the live profiles of its hosts, if it is configured to. */
class SidecarProfilePushTest {
  @TempDir private Path folder;
  private final List<String> log = new CopyOnWriteArrayList<>();

  private static List<PushOptions> pushes(String... options) throws Exception {
    return SidecarConfig.read(List.of(options), Map.of()).pushes();
  }

  @Test
  void aSidecarPushesToBothReceivers() throws Exception {
    HostIdentity host = SidecarReports.host(1);
    try (ProfileReceiver receiver = new ProfileReceiver();
        StatsFileWriter writer =
            StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000)) {
      writer.write(HostView.of(SidecarReports.report(host, System.currentTimeMillis(), 3)));
      List<String> options =
          List.of(
              "--statsDirectory=" + folder,
              "--listen=127.0.0.1:0",
              "--pyroscopeEndpoint=" + receiver.endpoint(),
              "--pyroscopeIntervalSeconds=1",
              "--otlpEndpoint=" + receiver.endpoint(),
              "--otlpIntervalSeconds=1",
              "--otlpHeaders=X-Tenant=hush",
              "--otlpProfiles=on");
      try (Sidecar sidecar = Sidecar.start(SidecarConfig.read(options, Map.of()), log::add)) {
        assertThat(sidecar.port()).isPositive();
        Set<String> both = Set.of("/push.v1.PusherService/Push", "/v1development/profiles");
        await().until(() -> paths(receiver).containsAll(both));
      }
      assertThat(log)
          .contains(
              "pushes the live profile to " + receiver.endpoint() + " every 1 s",
              "pushes metrics to " + receiver.endpoint() + " every 1 s")
          .noneMatch(line -> line.contains("hush"));
    }
  }

  private static Set<String> paths(ProfileReceiver receiver) {
    return receiver.requests().stream()
        .map(ProfileReceiver.Request::path)
        .collect(Collectors.toSet());
  }

  @Test
  void nothingIsPushedByDefault() throws Exception {
    assertThat(pushes()).isEmpty();
    assertThat(pushes("--otlpEndpoint=http://collector:4318"))
        .containsExactly(PushOptions.otlpMetrics("http://collector:4318"));
  }

  @Test
  void eachSettingHasItsPlace() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "hush");
    List<PushOptions> pushes =
        pushes(
            "--pyroscopeEndpoint=https://profiles.example/prefix",
            "--pyroscopeIntervalSeconds=15",
            "--pyroscopeUser=jane",
            "--pyroscopeTokenFile=" + token,
            "--pyroscopeTenant=shop",
            "--otlpEndpoint=http://collector:4318",
            "--otlpHeaders=X-Key=hush",
            "--otlpProfiles=on");
    assertThat(pushes)
        .containsExactly(
            PushOptions.pyroscope("https://profiles.example/prefix")
                .withInterval(Duration.ofSeconds(15))
                .withCredentials(new PushCredentials("jane", token))
                .withTenant("shop"),
            PushOptions.otlpMetrics("http://collector:4318").withHeaders(Map.of("X-Key", "hush")),
            PushOptions.otlpProfiles("http://collector:4318").withHeaders(Map.of("X-Key", "hush")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--pyroscopeEndpoint=host:1|pyroscopeEndpoint = 'host:1' is not allowed",
        "--pyroscopeEndpoint=http://a:hush@b|pyroscopeEndpoint = '...' is not allowed",
        "--pyroscopeIntervalSeconds=0|pyroscopeIntervalSeconds = '0' is not allowed",
        "--pyroscopeUser=a:b|pyroscopeUser = 'a:b' is not allowed",
        "--pyroscopeTenant=a b|pyroscopeTenant = 'a b' is not allowed",
        "--pyroscopeTokenFile=/no.such/file|pyroscopeTokenFile = '/no.such/file' is not allowed",
        "--pyroscopeUser=jane|pyroscopeUser = 'jane' needs pyroscopeTokenFile",
        "--otlpProfiles=yes|otlpProfiles = 'yes' is not allowed",
        "--otlpProfiles=on|otlpProfiles = 'on' needs otlpEndpoint",
      })
  void aBadSettingIsRefused(String option, String message) {
    assertThatThrownBy(() -> pushes(option))
        .isInstanceOf(SidecarConfig.BadSettingException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aMalformedHeaderIsRefusedAndNotShown() {
    assertThatThrownBy(
            () ->
                pushes(
                    "--otlpEndpoint=http://collector:4318",
                    "--otlpProfiles=on",
                    "--otlpHeaders=X-Key=hüsh"))
        .isInstanceOf(SidecarConfig.BadSettingException.class)
        .hasMessageStartingWith("otlpHeaders = '...' is not allowed");
  }
}
