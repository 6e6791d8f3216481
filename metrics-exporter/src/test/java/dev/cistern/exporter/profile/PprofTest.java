/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.HostView;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real pprof opens the profiles of the exporter. */
@Timeout(180)
@Tag("full")
class PprofTest {
  private static final int LIMIT_SECONDS = 120;

  @TempDir Path directory;
  private Path profile;

  @BeforeEach
  void write() throws IOException {
    profile =
        Files.write(
            directory.resolve("heap.pb.gz"),
            HeapProfile.gzipped(HostView.of(Reports.host()), Map.of(), false));
  }

  @Test
  void itReadsEverySampleWithItsLabels() throws Exception {
    assertThat(pprof("-raw", profile.toString()))
        .contains("PeriodType: space bytes", "Period: 524288", "inuse_space/bytes[dflt]")
        .contains("site:[com.shop.Cart.encode:42]", "memory:[direct]", "pool:[io.netty]")
        .containsPattern("1024 +2097152: \\d+ \\d+ ")
        .contains("com.shop.Cart.encode Source.java:42");
  }

  @Test
  void itRanksSitesByTheirBytes() throws Exception {
    List<String> top = pprof("-top", "-cum", profile.toString()).lines().toList();
    assertThat(top).contains("Type: inuse_space");
    assertThat(top).noneMatch(line -> line.contains("io.netty.buffer."));
    List<String> shop = top.stream().filter(line -> line.contains("com.shop.")).toList();
    assertThat(shop).hasSize(3);
    assertThat(shop.get(0)).contains("3328kB").endsWith("com.shop.Server.handle");
    assertThat(shop.get(1)).contains("2048kB").endsWith("com.shop.Menu.render");
    assertThat(shop.get(2)).contains("1280kB").endsWith("com.shop.Cart.encode");
  }

  @Test
  void itFocusesOnALabel() throws Exception {
    assertThat(pprof("-top", "-tagfocus=memory=heap", profile.toString()))
        .contains("[no stack]")
        .doesNotContain("com.shop");
  }

  @Test
  void itRefusesAnInvalidProfile() throws Exception {
    Files.write(profile, new byte[] {1, 2, 3});
    List<String> command = command("-raw", profile.toString());
    assertThat(run(command)).doesNotStartWith("0 ").contains("unrecognized profile format");
  }

  private String pprof(String... arguments) throws IOException, InterruptedException {
    String printed = run(command(arguments));
    assertThat(printed).startsWith("0 ");
    return printed.substring(2);
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(Tool.path("go", "golang-go"), "tool", "pprof"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the exit code and the output. A newer Go first compiles its pprof. */
  private String run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("PPROF_TMPDIR", directory.toString());
    builder.environment().putIfAbsent("HOME", directory.toString());
    Tool.Outcome outcome = Tool.run(builder, LIMIT_SECONDS);
    return outcome.status() + " " + outcome.printed();
  }
}
