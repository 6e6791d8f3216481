/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.agent.netty.ModeSource;
import dev.cistern.exporter.statsfile.ControlFileNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlFilesTest {
  @TempDir private Path folder;

  private void write(String name, String command, long seconds) throws Exception {
    Path file = Files.writeString(folder.resolve(name), command);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(seconds * 1000));
  }

  /** Both files have changed since the last read. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFileThatWasChangedLastWins(boolean isSidecarLater) throws Exception {
    ControlFiles files =
        new ControlFiles(new ConfigReader().read("control=sidecar"), folder, "the-id");
    write("the-id" + ControlFileNames.OWNER, "mode=off\n", 1_000_000);
    write("the-id" + ControlFileNames.SIDECAR, "mode=observe\n", isSidecarLater ? 1_000_005 : 5);
    assertThat(files.poll())
        .extracting(ModeCommand::source)
        .containsExactly(
            isSidecarLater
                ? new ModeSource[] {ModeSource.FILE, ModeSource.SIDECAR}
                : new ModeSource[] {ModeSource.SIDECAR, ModeSource.FILE});
    write("the-id" + ControlFileNames.OWNER, "mode=swap\n", 1_000_010);
    assertThat(files.poll()).extracting(ModeCommand::source).containsExactly(ModeSource.FILE);
    assertThat(files.poll()).isEmpty();
  }

  /** The setting may name an unrelated file by mistake. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode=off~tok3n|line 2: not a command (expected: mode=swap, observe or off)",
        "# all~tok3n=mode|line 2: not a command",
        "percent=5|line 1: no mode",
        "mode=off,percent=101|line 1: percent: '101' (expected: ",
        "mode=on|line 1: mode: 'on' (expected: ",
      })
  void aLineThatIsRefusedIsNumbered(String text, String reason) throws Exception {
    ControlFiles files = new ControlFiles(new ConfigReader().read(""), folder, "the-id");
    write("the-id" + ControlFileNames.OWNER, text.replace('~', '\n'), 1_000_000);
    files.poll();
    assertThat(files.refusals()).isEqualTo(1);
    assertThat(files.lastRefusal())
        .startsWith(folder.resolve("the-id" + ControlFileNames.OWNER) + ": " + reason)
        .doesNotContain("tok3n");
  }

  /** This is needed on a system without {@code /proc}. */
  @Test
  void theUserIsThatOfAFileItCreates() throws Exception {
    assertThat(ControlFiles.userOfNewFile()).isEqualTo(Files.getAttribute(folder, "unix:uid"));
  }
}
