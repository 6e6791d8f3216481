/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.exporter.CisternCollector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path folder;

  private AgentConfig read(String arguments) throws BadSettingException {
    return new ConfigReader(properties::get, environment::get).read(arguments);
  }

  @Test
  void withoutAnySourceTheDefaultsHold() throws BadSettingException {
    AgentConfig config = read(null);
    assertThat(config.mode()).isEqualTo(Mode.SWAP);
    assertThat(config.listen()).isEqualTo("0.0.0.0:9471");
    assertThat(config.poolNumbers())
        .containsEntry("arenas", 0L)
        .containsEntry("chunkBytes", 4L << 20)
        .containsEntry("decayMillis", 10_000L)
        .containsEntry("firstBufferMillis", 200L)
        .containsEntry("uninitializedArrays", 0L)
        .containsEntry("sampleInterval", 512L << 10);
    assertThat(config.application()).isNotEmpty();
  }

  @Test
  @Tag("A16")
  void theStrongerSourceWins() throws Exception {
    Path yaml = yaml("mode: off", "listen: none", "arenas: 1", "decayMillis: 1");
    environment.put("CISTERN_CONFIG", yaml.toString());
    assertThat(read(null).mode()).isEqualTo(Mode.OFF);
    environment.put("CISTERN_MODE", "observe");
    environment.put("CISTERN_LISTEN", "host:1");
    environment.put("CISTERN_DECAY_MILLIS", "2");
    assertThat(read(null).mode()).isEqualTo(Mode.OBSERVE);
    properties.put("cistern.mode", "swap");
    properties.put("cistern.listen", "host:2");
    assertThat(read(null).mode()).isEqualTo(Mode.SWAP);
    AgentConfig config = read("listen=host:3");
    assertThat(config.mode()).isEqualTo(Mode.SWAP);
    assertThat(config.listen()).isEqualTo("host:3");
    assertThat(config.poolNumbers()).containsEntry("decayMillis", 2L).containsEntry("arenas", 1L);
  }

  @Test
  void argumentsMayHaveSpacesAndEmptyParts() throws BadSettingException {
    AgentConfig config = read(" mode = observe ,, listen=none,");
    assertThat(config.mode()).isEqualTo(Mode.OBSERVE);
    assertThat(config.listen()).isNull();
  }

  @Test
  void bytesTakeUnits() throws BadSettingException {
    assertThat(read("chunkBytes=1M,sampleInterval=0,uninitializedArrays=true").poolNumbers())
        .containsEntry("uninitializedArrays", 1L)
        .containsEntry("chunkBytes", 1L << 20)
        .containsEntry("sampleInterval", 0L);
  }

  @Test
  void anUnknownArgumentIsRefusedWithWhatIsAllowed() {
    assertThatThrownBy(() -> read("mood=swap"))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(
            "agent argument 'mood' = 'swap' is unknown; allowed: mode, percent, include");
  }

  @Test
  void aModeMayBeForAPartOfTheAllocationsAndOfTheCopies() throws BadSettingException {
    AgentConfig config = read("mode=swap,percent=25,include=io.*:*@app,exclude=io.grpc.*");
    assertThat(config.mode()).isEqualTo(new Mode(Mode.Kind.SWAP, 25));
    assertThat(config.include())
        .containsExactly(new CopyPattern("io.*", "*"), new CopyPattern("*", "app"));
    assertThat(config.exclude()).containsExactly(new CopyPattern("io.grpc.*", "*"));
    assertThat(read(null).include()).containsExactly(CopyPattern.ALL);
    assertThat(read(null).exclude()).isEmpty();
  }

  @Test
  void anUnknownPropertyIsNotOursToRefuse() throws BadSettingException {
    properties.put("cistern.maxDirectMemory", "1");
    assertThat(read(null).mode()).isEqualTo(Mode.SWAP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode=SWAP",
        "mode=",
        "listen=9471",
        "listen=:9471",
        "listen=host:",
        "listen=host:70000",
        "listen=host:-1",
        "chunkBytes=3m",
        "chunkBytes=128",
        "chunkBytes=99999999999999999999g",
        "arenas=-1",
        "arenas=many",
        "decayMillis=0",
        "firstBufferMillis=-1",
        "uninitializedArrays=yes",
        "firstBufferMillis=60001",
        "application=",
        "config=/no/such/file.yaml",
      })
  void aMalformedValueIsRefusedWithNameValueAndWhatIsAllowed(String argument) {
    int equals = argument.indexOf('=');
    assertThatThrownBy(() -> read(argument))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining("'" + argument.substring(0, equals) + "'")
        .hasMessageContaining("'" + argument.substring(equals + 1) + "'")
        .hasMessageContaining("allowed: ");
  }

  @ParameterizedTest
  @CsvSource({
    "leakLevel, strict, simple",
    "leakLevel, PARANOID, simple",
    "leakLevel, '', simple",
    "samplingInterval, -1, 128 from advanced on",
    "samplingInterval, 0, 128 from advanced on",
    "samplingInterval, 100, 128 from advanced on",
    "sampleInterval, -1, 512k",
    "sampleInterval, 1, 512k",
    "sampleInterval, 2g, 512k",
    "liveSites, 25, 20",
    "liveSites, -1, 20",
    "leakSites, 1000, 10",
    "dumpDirectory, '', none",
  })
  void aBadSettingOfTheDiagnosticsIsRefusedInOneLineAndItsDefaultKept(
      String key, String value, String kept) throws BadSettingException {
    properties.put("cistern." + key, value);
    AgentConfig config = read(null);
    assertThat(config.complaints())
        .singleElement()
        .asString()
        .contains("'cistern." + key + "'", "'" + value + "'", "allowed: ", kept)
        .endsWith("is kept")
        .doesNotContain("\n");
    assertThat(config.poolNumbers()).isEqualTo(new AgentConfig(Map.of(), List.of()).poolNumbers());
    assertThat(config.leakSites()).isEqualTo(10);
    assertThat(config.liveSites()).isEqualTo(20);
    assertThat(config.dumpDirectory()).isNull();
  }

  @Test
  void aBadSettingOfTheDiagnosticsDoesNotLetAWeakerPlaceSpeakButAStrongerOne()
      throws BadSettingException {
    environment.put("CISTERN_LEAK_LEVEL", "paranoid");
    properties.put("cistern.leakLevel", "strict");
    assertThat(read(null).poolNumbers()).containsEntry("leakLevel", 1L);
    AgentConfig config = read("leakLevel=advanced");
    assertThat(config.poolNumbers()).containsEntry("leakLevel", 2L);
    assertThat(config.complaints()).singleElement().asString().contains("'advanced'");
  }

  @Test
  @Tag("E1")
  void theDiagnosticsAreSetInAllFourPlaces() throws Exception {
    Path yaml = yaml("leakLevel: disabled", "liveSites: 3", "samplingInterval: 64");
    environment.put("CISTERN_CONFIG", yaml.toString());
    environment.put("CISTERN_LIVE_SITES", "21");
    properties.put("cistern.leakSites", "0");
    AgentConfig config = read("leakLevel=paranoid,dumpDirectory=" + folder.resolve("new"));
    assertThat(config.complaints()).isEmpty();
    assertThat(config.poolNumbers())
        .containsEntry("leakLevel", 3L)
        .containsEntry("samplingInterval", 64L);
    assertThat(config.leakSites()).isZero();
    assertThat(config.liveSites()).isEqualTo(21);
    assertThat(config.dumpDirectory()).isEqualTo(folder.resolve("new").toString());
  }

  @Test
  void sitesAreAsManyAsTheExporterTakes() {
    assertThat(Form.SITES.accepts(String.valueOf(CisternCollector.MAX_LEAK_SITES))).isTrue();
    assertThat(Form.SITES.accepts(String.valueOf(CisternCollector.MAX_LEAK_SITES + 1))).isFalse();
    assertThat(CisternCollector.MAX_LIVE_SITES).isEqualTo(CisternCollector.MAX_LEAK_SITES);
    assertThat(Setting.LEAK_SITES.defaultText())
        .isEqualTo(String.valueOf(CisternCollector.DEFAULT_LEAK_SITES));
    assertThat(Setting.LIVE_SITES.defaultText())
        .isEqualTo(String.valueOf(CisternCollector.DEFAULT_LIVE_SITES));
  }

  @Test
  void anArgumentWithoutAValueOrGivenTwiceIsRefused() {
    assertThatThrownBy(() -> read("swap")).hasMessageContaining("'swap' is not of the form");
    assertThatThrownBy(() -> read("mode=swap,mode=off")).hasMessageContaining("'mode' is given");
  }

  @Test
  void aBadValueIsRefusedEvenWhereAStrongerSourceSpeaks() {
    environment.put("CISTERN_MODE", "sideways");
    assertThatThrownBy(() -> read("mode=swap"))
        .hasMessageContaining("environment variable 'CISTERN_MODE' = 'sideways'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mode: [swap]", "- mode", "mode: {a: b}", "mode: 'swap", "mode", "mode:", "a: b"})
  void unreadableYamlIsRefusedWithTheFilesName(String text) throws IOException {
    Path yaml = yaml(text);
    assertThatThrownBy(() -> read("config=" + yaml))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(yaml.toString())
        .hasMessageContaining("allowed: ")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void anEmptyFileSaysNothing() throws Exception {
    assertThat(read("config=" + yaml("")).mode()).isEqualTo(Mode.SWAP);
  }

  @Test
  void theApplicationIsNamedAfterItsMainClassOrJar() {
    assertThat(ApplicationName.guess("com.example.Main --secret=1")).isEqualTo("com.example.Main");
    assertThat(ApplicationName.guess("/opt/app/shop-1.2.jar -x")).isEqualTo("shop-1.2");
    assertThat(ApplicationName.guess("")).isEqualTo("java");
    assertThat(ApplicationName.guess(null)).isEqualTo("java");
  }

  private Path yaml(String... lines) throws IOException {
    return Files.write(folder.resolve("cistern.yaml"), List.of(lines));
  }
}
