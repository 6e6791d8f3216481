/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.exporter.metrics.SeriesOptions;
import dev.cistern.leak.SiteRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
  private final Properties properties = new Properties();
  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path folder;

  private AgentConfig read(String arguments) throws BadSettingException {
    return new ConfigReader(properties, environment).read(arguments);
  }

  @Test
  void withoutAnySourceTheDefaultsHold() throws BadSettingException {
    AgentConfig config = read(null);
    assertThat(config.mode()).isEqualTo(Mode.SWAP);
    assertThat(config.listen()).isEqualTo("0.0.0.0:9471");
    assertThat(config.bridgeSettings())
        .isEqualTo(
            new BridgeOptions.Settings(
                0, 4 << 20, 10_000, 200, false, 512 << 10, "simple", 0, SiteRules.defaults()));
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
    assertThat(config.bridgeSettings().decayMillis()).isEqualTo(2);
    assertThat(config.bridgeSettings().arenas()).isEqualTo(1);
  }

  @Test
  void argumentsMayHaveSpacesAndEmptyParts() throws BadSettingException {
    AgentConfig config = read(" mode = observe ,, listen=none,");
    assertThat(config.mode()).isEqualTo(Mode.OBSERVE);
    assertThat(config.listen()).isNull();
  }

  @Test
  void bytesTakeUnits() throws BadSettingException {
    BridgeOptions.Settings settings =
        read("chunkBytes=1M,sampleIntervalBytes=0,uninitializedArrays=true").bridgeSettings();
    assertThat(settings.uninitializedArrays()).isTrue();
    assertThat(settings.chunkBytes()).isEqualTo(1 << 20);
    assertThat(settings.sampleIntervalBytes()).isZero();
  }

  @Test
  void anUnknownArgumentIsRefusedWithTheAllowedNames() {
    assertThatThrownBy(() -> read("mood=swap"))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(
            "agent argument mood: unknown name (expected: mode, percent, include");
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
  void anUnknownSystemPropertyIsIgnored() throws BadSettingException {
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
  void aMalformedValueIsRefusedWithItsNameAndTheAllowedValues(String argument) {
    assertThatThrownBy(() -> read(argument))
        .isInstanceOf(BadSettingException.class)
        .hasMessageStartingWith("agent argument " + argument.replace("=", ": '") + "' (expected: ");
  }

  @ParameterizedTest
  @CsvSource({
    "leakLevel, strict, simple",
    "leakLevel, PARANOID, simple",
    "leakLevel, '', simple",
    "leakSamplingInterval, -1, 128 from advanced on",
    "leakSamplingInterval, 0, 128 from advanced on",
    "leakSamplingInterval, 100, 128 from advanced on",
    "sampleIntervalBytes, -1, 512k",
    "sampleIntervalBytes, 1, 512k",
    "sampleIntervalBytes, 2g, 512k",
    "liveSites, 33, 5",
    "liveSites, -1, 5",
    "leakSites, 1000, 5",
    "dumpDirectory, '', none",
    "pyroscopeEndpoint, host:1, none",
    "pyroscopeIntervalSeconds, 0, 60",
    "pyroscopeUser, a:b, none",
    "pyroscopeTenant, a b, none",
    "pyroscopeTokenFile, /no.such/file, none",
    "otlpEndpoint, ftp://host, none",
    "otlpProfiles, yes, off",
  })
  void aBadDiagnosticSettingIsIgnoredWithAWarningAndItsDefaultApplies(
      String key, String value, String kept) throws BadSettingException {
    properties.put("cistern." + key, value);
    AgentConfig config = read(null);
    assertThat(config.warnings())
        .singleElement()
        .asString()
        .startsWith("system property cistern." + key + ": '" + value + "' (expected: ")
        .endsWith("; using the default: " + kept)
        .doesNotContain("\n");
    assertThat(config.bridgeSettings())
        .isEqualTo(new AgentConfig(Map.of(), List.of()).bridgeSettings());
    assertThat(config.leakSites()).isEqualTo(5);
    assertThat(config.liveSites()).isEqualTo(5);
    assertThat(config.dumpDirectory()).isNull();
  }

  @Test
  void aBadDiagnosticSettingHidesWeakerSourcesButNotStrongerOnes() throws BadSettingException {
    environment.put("CISTERN_LEAK_LEVEL", "paranoid");
    properties.put("cistern.leakLevel", "strict");
    assertThat(read(null).bridgeSettings().leakLevel()).isEqualTo("simple");
    AgentConfig config = read("leakLevel=advanced");
    assertThat(config.bridgeSettings().leakLevel()).isEqualTo("advanced");
    assertThat(config.warnings())
        .singleElement()
        .asString()
        .endsWith("; using 'advanced' from a stronger source");
  }

  @Test
  @Tag("E1")
  void theDiagnosticsAreSetInAllFourPlaces() throws Exception {
    Path yaml = yaml("leakLevel: disabled", "liveSites: 3", "leakSamplingInterval: 64");
    environment.put("CISTERN_CONFIG", yaml.toString());
    environment.put("CISTERN_LIVE_SITES", "21");
    properties.put("cistern.leakSites", "0");
    AgentConfig config = read("leakLevel=paranoid,dumpDirectory=" + folder.resolve("new"));
    assertThat(config.warnings()).isEmpty();
    assertThat(config.bridgeSettings().leakLevel()).isEqualTo("paranoid");
    assertThat(config.bridgeSettings().leakSamplingInterval()).isEqualTo(64);
    assertThat(config.leakSites()).isZero();
    assertThat(config.liveSites()).isEqualTo(21);
    assertThat(config.dumpDirectory()).isEqualTo(folder.resolve("new").toString());
  }

  @Test
  void profilesAreNotPushedByDefault() throws Exception {
    AgentConfig config = read(null);
    assertThat(config.pyroscopeEndpoint()).isNull();
    assertThat(config.pyroscopeIntervalSeconds()).isEqualTo(60);
    assertThat(config.pyroscopeUser()).isEmpty();
    assertThat(config.pyroscopeTokenFile()).isNull();
    assertThat(config.pyroscopeTenant()).isEmpty();
    assertThat(config.hasOtlpProfiles()).isFalse();
    assertThat(config.otlpEndpoint()).isNull();
    assertThat(config.otlpIntervalSeconds()).isEqualTo(60);
    assertThat(read("pyroscopeEndpoint=https://profiles.example/prefix").pyroscopeEndpoint())
        .isEqualTo("https://profiles.example/prefix");
    assertThat(read("otlpProfiles=on,pyroscopeTenant=a|b").hasOtlpProfiles()).isTrue();
  }

  @Test
  void aLoginInAnEndpointIsRefusedAndNotShown() throws Exception {
    assertThat(read("pyroscopeEndpoint=http://jane:hush@pyroscope").warnings())
        .singleElement()
        .asString()
        .startsWith("agent argument pyroscopeEndpoint: '...' (expected: http://host:port");
  }

  @Test
  void theLimitOfSitesIsThatOfTheExporter() {
    int most = SeriesOptions.MAX_SITES;
    assertThat(Setting.LEAK_SITES.accepts(String.valueOf(most))).isTrue();
    assertThat(Setting.LEAK_SITES.accepts(String.valueOf(most + 1))).isFalse();
    assertThat(Setting.LEAK_SITES.defaultText())
        .isEqualTo(String.valueOf(SeriesOptions.DEFAULT_SITES));
    assertThat(Setting.LIVE_SITES.defaultText())
        .isEqualTo(String.valueOf(SeriesOptions.DEFAULT_SITES));
  }

  @Test
  void anArgumentWithoutAValueOrGivenTwiceIsRefused() {
    assertThatThrownBy(() -> read("swap"))
        .hasMessage("agent argument swap: no value (expected: key=value)");
    assertThatThrownBy(() -> read("mode=swap,mode=off"))
        .hasMessage("agent argument mode: given twice (expected: once)");
  }

  @Test
  void aBadValueIsRefusedEvenIfAStrongerSourceHasTheSetting() {
    environment.put("CISTERN_MODE", "sideways");
    assertThatThrownBy(() -> read("mode=swap"))
        .hasMessage(
            "environment variable CISTERN_MODE: 'sideways' (expected: swap, observe or off)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mode: [swap]", "- mode", "mode: {a: b}", "mode: 'swap", "mode", "mode:", "a: b"})
  void unreadableYamlIsRefusedWithTheFilesName(String text) throws IOException {
    Path yaml = yaml(text);
    assertThatThrownBy(() -> read("config=" + yaml))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(yaml.toString())
        .hasMessageContaining("(expected: ")
        .message()
        .doesNotContain("\n");
  }

  /** The faulty line of such a file may contain a secret of the application. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mode: off~x: tok3n: y|is not YAML: line 2, column 9 (ScannerException)",
        "mode: \"tok3n\\q\"|is not YAML: line 1, column 14 (ScannerException)",
        "mode: *tok3n|is not YAML: line 1, column 7 (ComposerException)",
        "tok3n: 1~tok3n: 2|is not YAML: line 2, column 1 (DuplicateKeyException)",
        "arenas: !!int tok3n|is not YAML: (NumberFormatException)",
        "'{{ .tok3n }}: x'|is not YAML: (YamlEngineException)",
        "mode tok3n: off|key mode...: unknown name",
        "mode: {x: tok3n}|key mode: no single value",
        "tok3n|has no settings",
      })
  void aSecretInTheFileIsNotPrinted(String text, String named) throws IOException {
    Path yaml = yaml(text.replace('~', '\n'));
    assertThatThrownBy(() -> read("config=" + yaml))
        .isInstanceOf(BadSettingException.class)
        .hasMessageContaining(yaml.toString())
        .hasMessageContaining(named)
        .hasNoCause()
        .message()
        .doesNotContain("tok3n");
  }

  @Test
  void aFileCannotNameAnotherFile() throws Exception {
    Path yaml = yaml("config: none");
    assertThatThrownBy(() -> read("config=" + yaml))
        .hasMessageStartingWith(yaml + ": key config: unknown name (expected: ");
  }

  @Test
  void anEmptyFileHasNoSettings() throws Exception {
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
