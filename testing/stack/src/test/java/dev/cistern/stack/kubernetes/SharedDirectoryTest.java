/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the sidecar reads and removes the files of an application with another user. Requires
 * root.
 */
@Tag("full")
class SharedDirectoryTest {
  private static final int APPLICATION = 999;
  private static final int SIDECAR = 10001;

  /** Writes a file with the mode of a stats file. */
  private static final String WRITE = "umask 027; echo figures > ";

  @TempDir Path root;
  private Volumes volumes;
  private Path agent;

  @BeforeAll
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  static void fetch() throws IOException {
    Kustomize.fetch();
    if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
      String message = "only root can start processes of several users";
      if (Tool.isRequired()) {
        fail(message);
      }
      abort(message + ": skipped");
    }
  }

  @BeforeEach
  void makeImage() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    volumes = new Volumes(root);
    agent = Files.writeString(root.resolve("cistern-agent.jar"), "a jar");
  }

  /** Creates a directory as the kubelet does: it belongs to fsGroup, if the pod has one. */
  private void makeVolume(String name, int group) throws IOException {
    Path volume = Files.createDirectory(volumes.volume(name));
    Files.setAttribute(volume, "unix:gid", group);
    Files.setAttribute(volume, "unix:mode", group == 0 ? 0777 : 02777);
  }

  /**
   * Runs with several values of fsGroup. 0 means a pod without fsGroup. With 2000, neither user has
   * that group otherwise.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 2000, APPLICATION, SIDECAR})
  void theSidecarReadsAndRemovesFilesOfAnotherUser(int group) throws Exception {
    Path file = Path.of(runAgentContainer(group)).resolve("jvm.cistern");
    assertThat(run(APPLICATION, group, WRITE + file).status()).isZero();
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(APPLICATION);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(run(SIDECAR, group, "cat " + file)).isEqualTo(new Tool.Outcome(0, "figures\n"));
    assertThat(run(SIDECAR, group, "rm " + file).status()).isZero();
    assertThat(file).doesNotExist();
    Path copied = volumes.volume("cistern-agent").resolve("cistern-agent.jar");
    assertThat(run(APPLICATION, group, "cat " + copied).printed()).isEqualTo("a jar");
  }

  @Test
  void inTheVolumeItselfThePermissionIsDenied() throws Exception {
    runAgentContainer(0);
    Path file = volumes.volume("cistern-stats").resolve("jvm.cistern");
    assertThat(run(APPLICATION, 0, WRITE + file).status()).isZero();
    assertThat(run(SIDECAR, 0, "cat " + file).printed()).contains("Permission denied");
  }

  @Test
  void theAgentsContainerMayRunAgain() throws Exception {
    runAgentContainer(0);
    assertThat(start(SIDECAR, 0, volumes.command(container(), agent.toString())).status()).isZero();
  }

  /** Returns the directory that the application uses. */
  private String runAgentContainer(int group) throws Exception {
    makeVolume("cistern-agent", group);
    makeVolume("cistern-stats", group);
    int user = Integer.parseInt(container().get("securityContext").text("runAsUser"));
    assertThat(user).isEqualTo(SIDECAR);
    Tool.Outcome outcome = start(user, group, volumes.command(container(), agent.toString()));
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return volumes.environment(container()).get("CISTERN_STATS_DIRECTORY");
  }

  private static Node container() {
    return Kustomize.object(WorkloadsTest.DIRECTORY, "DaemonSet", "bare")
        .get("spec")
        .get("template")
        .get("spec")
        .named("initContainers", "cistern-agent");
  }

  private Tool.Outcome run(int user, int group, String command) throws Exception {
    return start(user, group, List.of("sh", "-c", command));
  }

  private Tool.Outcome start(int user, int group, List<String> command) throws Exception {
    List<String> all = new ArrayList<>();
    all.add(Tool.path("setpriv", "util-linux"));
    all.addAll(List.of("--reuid", String.valueOf(user), "--regid", String.valueOf(user)));
    all.addAll(group == 0 ? List.of("--clear-groups") : List.of("--groups", "" + group));
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all);
    builder.environment().putAll(volumes.environment(container()));
    return Tool.run(builder, 30);
  }
}
