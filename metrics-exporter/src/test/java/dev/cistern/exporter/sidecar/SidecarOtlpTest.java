/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.SidecarReports;
import dev.cistern.exporter.push.MetricsReceiver;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.testing.Program;
import dev.cistern.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sidecar pushes its metrics, if it is configured to. */
class SidecarOtlpTest {
  @TempDir private Path folder;

  @Test
  void aSidecarPushesAllItsHosts() throws Exception {
    HostIdentity host = SidecarReports.host(1);
    try (MetricsReceiver receiver = new MetricsReceiver();
        StatsFileWriter writer =
            StatsFileWriter.create(folder, host, StatsFileWriter.MAX_BYTES, 1_000)) {
      writer.write(HostView.of(SidecarReports.report(host, System.currentTimeMillis(), 3)));
      List<String> options =
          List.of(
              "--statsDirectory=" + folder,
              "--listen=127.0.0.1:0",
              "--otlpEndpoint=" + receiver.endpoint(),
              "--otlpIntervalSeconds=1");
      try (Sidecar sidecar = Sidecar.start(SidecarConfig.read(options, Map.of()), line -> {})) {
        assertThat(sidecar.port()).isPositive();
        await().until(() -> receiver.pushes() > 0);
        assertThat(receiver.series()).containsEntry("cistern_host_up{application=\"shop-1\"}", 1.0);
      }
    }
  }

  @Test
  void noPushClassesAreLoadedWithoutPushes() throws Exception {
    String loop = "dev.cistern.exporter.push.PushLoop";
    assertThat(classesOf()).contains(SidecarMain.class.getName()).doesNotContain(loop);
    assertThat(classesOf("--otlpEndpoint=http://127.0.0.1:1")).contains(loop);
  }

  /** Returns the classes that a sidecar in a separate JVM has loaded when it serves requests. */
  private String classesOf(String... options) throws Exception {
    Path classes = folder.resolve("classes" + options.length);
    List<String> arguments =
        new ArrayList<>(List.of("--statsDirectory=" + folder, "--listen=127.0.0.1:0"));
    arguments.addAll(List.of(options));
    ProcessBuilder sidecar =
        Tool.java(
            List.of("-Xlog:class+load:file=" + classes),
            SidecarMain.class,
            arguments.toArray(new String[0]));
    try (Program program = Program.start("sidecar", sidecar)) {
      // The sidecar prints this last.
      await().atMost(Duration.ofSeconds(60)).until(() -> program.log().contains("watches "));
      return Files.readString(classes);
    }
  }

  @Test
  void badSettingsAreRefused() {
    for (String option :
        List.of("otlpEndpoint=host:1", "otlpIntervalSeconds=0", "otlpHeaders=secret")) {
      assertThatThrownBy(
              () ->
                  SidecarConfig.read(
                      List.of("--statsDirectory=" + folder, "--" + option), Map.of()))
          .isInstanceOf(SidecarConfig.BadSettingException.class)
          .hasMessageStartingWith(option.substring(0, option.indexOf('=')))
          .hasMessageNotContaining("secret");
    }
  }
}
