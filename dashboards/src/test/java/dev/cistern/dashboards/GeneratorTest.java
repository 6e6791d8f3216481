/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The generator writes the committed dashboards, byte for byte, each time. Without its libraries
 * ({@code dashboards/.venv}, which its first run makes) it is only run in CI.
 */
@Timeout(300)
@Tag("full")
class GeneratorTest {
  private static final int LIMIT_SECONDS = 280;
  private static final int CANNOT_INSTALL = 69;
  private static final List<String> FILES = List.of("overview.json", "jvm.json", "leaks.json");
  private static final Path DASHBOARDS = Repository.path("dashboards");

  @TempDir Path directory;

  @BeforeEach
  void libraries() throws Exception {
    boolean areThere = Files.exists(DASHBOARDS.resolve(".venv/installed"));
    boolean isRequired = Tool.isRequired();
    assumeTrue(areThere || isRequired, "dashboards/generate was never run");
    Tool.path("python3", "python3");
    Tool.Outcome help = run("0", "--help");
    assumeTrue(isRequired || help.status() != CANNOT_INSTALL, "its libraries cannot be installed");
    assertThat(help.status()).as(help.printed()).isZero();
  }

  @Test
  void twoRunsReproduceTheCommittedFiles() throws Exception {
    Path first = generate("1");
    Path second = generate("2");
    for (String file : FILES) {
      assertThat(second.resolve(file)).hasSameBinaryContentAs(first.resolve(file));
      assertThat(DASHBOARDS.resolve(file)).hasSameBinaryContentAs(first.resolve(file));
    }
  }

  @Test
  void theCheckNamesAStaleFile() throws Exception {
    Path generated = generate("1");
    assertThat(run("2", "--check", "--to", generated.toString()).status()).isZero();
    Files.writeString(
        generated.resolve("jvm.json"),
        Files.readString(generated.resolve("jvm.json")).replace("Pinned", "Pined"));
    Files.delete(generated.resolve("leaks.json"));
    Tool.Outcome outcome = run("2", "--check", "--to", generated.toString());
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.printed()).contains("jvm.json, leaks.json").doesNotContain("overview.json");
  }

  private Path generate(String seed) throws IOException, InterruptedException {
    Path to = Files.createDirectory(directory.resolve("generated-" + seed));
    Tool.Outcome outcome = run(seed, "--to", to.toString());
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return to;
  }

  /** Runs the generator with a seed for the iteration order of sets. */
  private Tool.Outcome run(String seed, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(DASHBOARDS.resolve("generate").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONHASHSEED", seed);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return Tool.run(builder, LIMIT_SECONDS);
  }
}
