/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.Detail;
import dev.cistern.exporter.ExporterOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SidecarConfigTest {
  @TempDir private Path folder;

  private static SidecarConfig read(String... options) throws Exception {
    return SidecarConfig.read(List.of(options), Map.of());
  }

  @Test
  void theDirectoryIsAllThatItNeeds() throws Exception {
    SidecarConfig config = read("--statsDirectory", "/x");
    assertThat(config.directory()).isEqualTo(Path.of("/x"));
    assertThat(config.postMortemDirectory()).isEqualTo(Path.of("/x/postmortem"));
    assertThat(config.listen()).isEqualTo("0.0.0.0:9472");
    assertThat(config.options()).isEqualTo(ExporterOptions.DEFAULT);
    assertThat(config.retention())
        .isEqualTo(new PostMortemStore.Retention(7L * 24 * 3_600_000, 64 << 20, 3_600_000));
  }

  @Test
  void commandsAreOffByDefault() throws Exception {
    assertThat(read().hasControl()).isFalse();
    assertThat(read("--control=on").hasControl()).isTrue();
    assertThat(SidecarConfig.read(List.of(), Map.of("CISTERN_CONTROL", "on")).hasControl())
        .isTrue();
  }

  @Test
  void optionsAreStrongerThanVariablesAndThoseThanTheFile() throws Exception {
    Path file = folder.resolve("s.yaml");
    Files.writeString(
        file, "statsDirectory: /file\nlisten: 127.0.0.1:1\nretentionHours: 2\ndetail: arenas\n");
    Map<String, String> environment =
        Map.of("CISTERN_STATS_DIRECTORY", "/variable", "CISTERN_LISTEN", "127.0.0.1:2");
    SidecarConfig config =
        SidecarConfig.read(
            List.of("--statsDirectory=/option", "--config", file.toString()), environment);
    assertThat(config.directory()).isEqualTo(Path.of("/option"));
    assertThat(config.listen()).isEqualTo("127.0.0.1:2");
    assertThat(config.retention().ageMillis()).isEqualTo(7_200_000);
    assertThat(config.options().detail()).isEqualTo(Detail.ARENAS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--retentionHours=0|retentionHours = '0' is not allowed (allowed: a number from 1 to 87600)",
        "--retentionBytes=1k|retentionBytes = '1k' is not allowed (allowed: bytes from 1m to 64g; k, m and g multiply)",
        "--retentionBytes=99999999999999g|retentionBytes = '99999999999999g' is not allowed (allowed: bytes from 1m to 64g; k, m and g multiply)",
        "--retentionBytes=|retentionBytes = '' is not allowed (allowed: bytes from 1m to 64g; k, m and g multiply)",
        "--control=sidecar|control = 'sidecar' is not allowed (allowed: none or on)",
        "--detail=much|detail = 'much' is not allowed (allowed: none, arenas, sizes or all)",
        "--leakSites=22|leakSites = '22' is not allowed (allowed: a number from 0 to 21)",
        "--seriesLimit=299|seriesLimit = '299' is not allowed (allowed: a number from 300 to 100000)",
        "--scanMillis=x|scanMillis = 'x' is not allowed (allowed: a number from 100 to 60000)",
      })
  void aBadValueIsRefusedWithWhatIsAllowed(String option, String message) {
    assertThatThrownBy(() -> read("--statsDirectory=/x", option)).hasMessage(message);
  }

  @Test
  void whatIsUnknownIsNamed() throws Exception {
    assertThatThrownBy(() -> read("--dri", "/x")).hasMessageStartingWith("'dri' is no option");
    assertThatThrownBy(() -> read("/x")).hasMessageStartingWith("'/x' is no option");
    assertThatThrownBy(() -> read("--statsDirectory"))
        .hasMessage("--statsDirectory needs a value (allowed: a directory, or auto)");
    Path file = Files.writeString(folder.resolve("s.yaml"), "dri: /x\n");
    assertThatThrownBy(() -> read("--config", file.toString()))
        .hasMessageStartingWith("'dri' is no key in " + file);
    Path broken = Files.writeString(folder.resolve("b.yaml"), "a: [");
    assertThatThrownBy(() -> read("--config", broken.toString()))
        .hasMessageStartingWith("config = '" + broken + "' cannot be read: ");
  }

  @Test
  void aFormerNameIsRefusedWithTheNewOne() throws Exception {
    assertThatThrownBy(() -> read("--dir", "/x"))
        .hasMessage("'dir' is no option; its new name is statsDirectory");
    Path file = Files.writeString(folder.resolve("s.yaml"), "dir: /x\n");
    assertThatThrownBy(() -> read("--config", file.toString()))
        .hasMessage("'dir' is no key in " + file + "; its new name is statsDirectory");
    assertThat(SidecarConfig.warnings(Map.of("CISTERN_DIR", "/x")))
        .containsExactly(
            "ignored environment variable CISTERN_DIR: its new name is CISTERN_STATS_DIRECTORY");
    assertThat(SidecarConfig.warnings(Map.of("CISTERN_STATS_DIRECTORY", "/x"))).isEmpty();
  }

  @Test
  void theDocumentAndTheSettingsAreTheSame() {
    StringBuilder rows = new StringBuilder();
    for (SidecarSetting setting : SidecarSetting.values()) {
      rows.append("| `").append(setting.key()).append("` | `").append(setting.environment());
      rows.append("` | ").append(setting.defaultText()).append(" | ").append(setting.allowed());
      rows.append(" | ").append(setting.meaning()).append(" |\n");
    }
    assertThat(Path.of("../docs/sidecar.md")).content().contains(rows);
  }

  @Test
  void theHelpNamesEverySetting() {
    for (SidecarSetting setting : SidecarSetting.values()) {
      assertThat(SidecarMain.usage())
          .contains("--" + setting.key(), setting.environment(), setting.meaning());
    }
  }
}
