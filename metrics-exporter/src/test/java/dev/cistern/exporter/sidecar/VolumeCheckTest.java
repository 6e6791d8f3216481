/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeCheckTest {
  private final List<String> logs = new ArrayList<>();
  private long seconds;
  @TempDir private Path folder;

  private VolumeCheck volumeCheck(Path directory) {
    return new VolumeCheck(directory, logs::add, () -> TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void writableVolumesCauseNoMessage() {
    volumeCheck(folder).atStart(folder);
    assertThat(logs).isEmpty();
  }

  /** No user can write there, not even root. */
  @Test
  void readOnlyDirectoriesAreNamedWithTheirSettings() {
    Path readOnly = Path.of("/proc/self");
    volumeCheck(readOnly).atStart(readOnly);
    assertThat(logs).hasSize(2);
    assertThat(logs.get(0)).contains("postmortemDirectory = '/proc/self'", "mount a volume");
    assertThat(logs.get(1)).contains("statsDirectory = '/proc/self'", "mount the volume");
  }

  @Test
  void aMinuteWithoutAHostIsLoggedOnce() {
    VolumeCheck volumeCheck = volumeCheck(folder);
    volumeCheck.tick();
    seconds = 60;
    volumeCheck.tick();
    assertThat(logs).isEmpty();
    seconds = 61;
    volumeCheck.tick();
    volumeCheck.tick();
    assertThat(logs).hasSize(1);
    assertThat(logs.get(0))
        .contains("statsDirectory = '" + folder + "'")
        .contains("the same volume?");
  }

  @Test
  void aDirectoryThatIsNotThereHasNoHost() {
    VolumeCheck volumeCheck = volumeCheck(folder.resolve("missing"));
    seconds = 61;
    volumeCheck.tick();
    assertThat(logs).hasSize(1);
  }

  @Test
  void afterTheFirstHostNothingIsLogged() throws IOException {
    VolumeCheck volumeCheck = volumeCheck(folder);
    Path file = Files.createFile(folder.resolve("0123456789abcdef.cistern"));
    volumeCheck.tick();
    Files.delete(file);
    seconds = 61;
    volumeCheck.tick();
    assertThat(logs).isEmpty();
  }
}
