/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.exporter.schema.Detail;
import dev.cistern.testing.Generated;
import dev.cistern.testing.Repository;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60) // a sidecar with an accepted configuration does not end
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
    assertThat(config.options()).isEqualTo(SeriesOptions.DEFAULT);
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
    assertThat(config.options().detail()).isEqualTo(Detail.parse("arenas"));
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
        "--detail=much|detail = 'much' is not allowed (allowed: none, all, or of internals, arenas, sizes with + between them)",
        "--leakSites=101|leakSites = '101' is not allowed (allowed: a number from 0 to 32)",
        "--seriesLimit=99|seriesLimit = '99' is not allowed (allowed: a number from 100 to 100000)",
        "--scanMillis=x|scanMillis = 'x' is not allowed (allowed: a number from 100 to 60000)",
      })
  void aBadValueIsRefusedWithTheAllowedValues(String option, String message) {
    assertThatThrownBy(() -> read("--statsDirectory=/x", option)).hasMessage(message);
  }

  @Test
  void unknownSettingsAreNamed() throws Exception {
    assertThatThrownBy(() -> read("--dri", "/x")).hasMessageStartingWith("'dri' is no option");
    assertThatThrownBy(() -> read("/x")).hasMessageStartingWith("'/x' is no option");
    assertThatThrownBy(() -> read("--statsDirectory"))
        .hasMessage("--statsDirectory needs a value (allowed: a directory, or auto)");
    Path file = Files.writeString(folder.resolve("s.yaml"), "dri: /x\n");
    assertThatThrownBy(() -> read("--config", file.toString()))
        .hasMessageStartingWith("'dri' is no key in " + file);
    Path absent = folder.resolve("absent.yaml");
    assertThatThrownBy(() -> read("--config", absent.toString()))
        .hasMessageStartingWith("config = '" + absent + "' cannot be read: NoSuchFileException");
  }

  /** Reads a file with a token, which has a fault on the line of the token. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listen: a:1~otlpHeaders: \"x=tok3n\\q\"|is not YAML: line 2, column 23 (ScannerException)",
        "otlpHeaders: x=1~  y: tok3n: z|is not YAML: line 2, column 4 (ScannerException)",
        "otlpHeaders: [x=tok3n|is not YAML: line 1, column 22 (ParserException)",
        "otlpHeaders: *tok3n|is not YAML: line 1, column 14 (ComposerException)",
        "scanMillis: !!int tok3n|is not YAML: (NumberFormatException)",
        "'{{ .tok3n }}: x'|is not YAML: (YamlEngineException)",
        "otlpHeaders: {x: tok3n}|'otlpHeaders' has no single value",
        "otlpHeaders: [x=tok3n]|'otlpHeaders' has no single value",
        "otlpHeaders:|'otlpHeaders' has no single value",
        "otlpHeaders=x tok3n: y|'otlpHeaders...' is no key in",
        "'x: |~  y=tok3n'|'x' is no key in",
        "- tok3n|has another form",
        "tok3n|has another form",
        "otlpHeaders: tok3n|otlpHeaders = '...' is not allowed",
        "'otlpHeaders: \"x=1,tok3n y=2\"'|otlpHeaders = '...' is not allowed",
        "'otlpHeaders: \"x=tok3n\\ny\"'|otlpHeaders = '...' is not allowed",
        "otlpEndpoint: ftp://me:tok3n@host/|otlpEndpoint = '...' is not allowed",
        "otlpEndpoint: me:tok3n@host|otlpEndpoint = '...' is not allowed",
        "otlpEndpoint: ftp://host/?key=tok3n|otlpEndpoint = '...' is not allowed",
      })
  void aSecretInTheFileIsNotPrinted(String yaml, String named) throws Exception {
    Path file = Files.writeString(folder.resolve("s.yaml"), yaml.replace('~', '\n'));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int status =
        SidecarMain.run(
            List.of("--config", file.toString(), "--listen=127.0.0.1:0"),
            Map.of(),
            new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(status).isEqualTo(2);
    String first = printed.toString(StandardCharsets.UTF_8).lines().findFirst().orElseThrow();
    assertThat(first).startsWith("cistern-exporter: ").contains(named).doesNotContain("tok3n");
    assertThatThrownBy(() -> read("--config", file.toString())).hasNoCause();
  }

  @Test
  void aBrokenWebConfigurationIsNamedByItsSetting() throws Exception {
    Path web = Files.writeString(folder.resolve("web.yml"), "basic_auth_users: {a: tok3n: x}");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    List<String> options =
        List.of("--statsDirectory=" + folder, "--listen=127.0.0.1:0", "--webConfig=" + web);
    int status =
        SidecarMain.run(options, Map.of(), new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(status).isEqualTo(1);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .startsWith("cistern-exporter: webConfig: " + web + " is not YAML: line 1, column 28 (")
        .doesNotContain("tok3n");
  }

  @Test
  void theDocumentAndTheSettingsAreTheSame() {
    List<String> rows = new ArrayList<>();
    for (SidecarSetting setting : SidecarSetting.values()) {
      rows.add(
          "| `%s` | `%s` | %s | %s | %s |"
              .formatted(
                  setting.key(),
                  setting.environment(),
                  setting.defaultText(),
                  setting.allowed(),
                  setting.meaning()));
    }
    Generated.checkRows(Repository.path("docs/sidecar.md"), rows);
  }

  @Test
  void theHelpNamesEverySetting() {
    for (SidecarSetting setting : SidecarSetting.values()) {
      assertThat(SidecarMain.usage())
          .contains("--" + setting.key(), setting.environment(), setting.meaning());
    }
  }
}
