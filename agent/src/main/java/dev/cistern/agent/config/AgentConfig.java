/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import dev.cistern.agent.log.Log;
import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.leak.SiteRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The checked, immutable settings of the agent. */
public final class AgentConfig {
  private final Map<Setting, String> given = new EnumMap<>(Setting.class);

  private final List<String> warnings;

  AgentConfig(Map<Setting, String> given, List<String> warnings) {
    this.given.putAll(given);
    this.warnings = List.copyOf(warnings);
  }

  /** Returns a line for each setting that was ignored. */
  public List<String> warnings() {
    return warnings;
  }

  private @Nullable String given(Setting setting) {
    return given.get(setting);
  }

  private String text(Setting setting) {
    return given.getOrDefault(setting, setting.defaultText());
  }

  private @Nullable String textOrNull(Setting setting) {
    String text = text(setting);
    return text.equals("none") ? null : text;
  }

  private String textOrEmpty(Setting setting) {
    String text = textOrNull(setting);
    return text == null ? "" : text;
  }

  private int number(Setting setting) {
    return (int) ValueType.bytes(text(setting));
  }

  private List<CopyPattern> patterns(Setting setting) {
    return Objects.requireNonNull(CopyPattern.list(text(setting)));
  }

  /** Returns the mode of each included copy of Netty. */
  public Mode mode() {
    return Mode.ofChecked(text(Setting.MODE), number(Setting.PERCENT));
  }

  /** Returns the copies to which the mode applies. */
  public List<CopyPattern> include() {
    return patterns(Setting.INCLUDE);
  }

  /** Returns the copies that are off even if they are included. */
  public List<CopyPattern> exclude() {
    return patterns(Setting.EXCLUDE);
  }

  /** Returns {@code host:port} of the endpoint, or null for no endpoint. */
  public @Nullable String listen() {
    return textOrNull(Setting.LISTEN);
  }

  /** Returns the web configuration file of the endpoint, or null. */
  public @Nullable String webConfig() {
    return textOrNull(Setting.WEB_CONFIG);
  }

  /** Returns the name of this application in the metrics. */
  public String application() {
    String name = given(Setting.APPLICATION);
    return name == null ? ApplicationName.guess(System.getProperty("sun.java.command")) : name;
  }

  /** Returns the directory of the stats file, {@code auto}, or null for no stats file. */
  public @Nullable String statsDirectory() {
    return textOrNull(Setting.STATS_DIRECTORY);
  }

  /** Returns whether files may change modes. */
  public boolean isControlled() {
    return !text(Setting.CONTROL).equals("none");
  }

  /** Returns whether the sidecar may change modes. */
  public boolean isControlledBySidecar() {
    return text(Setting.CONTROL).equals("sidecar");
  }

  /** Returns the path of the control file; null if it is beside the stats file. */
  public @Nullable String controlFile() {
    String path = text(Setting.CONTROL_FILE);
    return path.equals("auto") ? null : path;
  }

  /** Returns whether a control file may set a mode above that of the settings. */
  public boolean controlRaises() {
    return text(Setting.CONTROL_RAISES).equals("true");
  }

  /** Returns the size limit of the stats file in bytes. */
  public int statsFileBytes() {
    return number(Setting.STATS_FILE_BYTES);
  }

  /** Returns the milliseconds between two reports in the stats file. */
  public long statsIntervalMillis() {
    return number(Setting.STATS_INTERVAL_MILLIS);
  }

  /** Returns the name of the pod, or an empty text. */
  public String pod() {
    return textOrEmpty(Setting.POD);
  }

  /** Returns the name of the container, or an empty text. */
  public String container() {
    return textOrEmpty(Setting.CONTAINER);
  }

  /** Returns the settings of the bridges. */
  public BridgeOptions.Settings bridgeSettings() {
    String interval = given(Setting.LEAK_SAMPLING_INTERVAL);
    return new BridgeOptions.Settings(
        number(Setting.ARENAS),
        number(Setting.CHUNK_BYTES),
        number(Setting.DECAY_MILLIS),
        number(Setting.FIRST_BUFFER_MILLIS),
        text(Setting.UNINITIALIZED_ARRAYS).equals("true"),
        number(Setting.SAMPLE_INTERVAL_BYTES),
        text(Setting.LEAK_LEVEL),
        interval == null ? 0 : (int) ValueType.number(interval),
        siteRules());
  }

  /** Returns the default rules, extended by the file if there is a valid one. */
  private List<String> siteRules() {
    String file = textOrNull(Setting.SITE_RULES);
    if (file == null) {
      return SiteRules.defaults();
    }
    try {
      return SiteRules.defaultsWith(Path.of(file));
    } catch (IOException | RuntimeException unusable) {
      Log.line("cannot read siteRules '" + file + "': " + unusable + "; using the default rules");
      return SiteRules.defaults();
    }
  }

  /** Returns the number of leak sites that have their own metrics. */
  public int leakSites() {
    return number(Setting.LEAK_SITES);
  }

  /** Returns the number of sites of live buffers that have their own metrics. */
  public int liveSites() {
    return number(Setting.LIVE_SITES);
  }

  /** Returns the names of the groups of metrics that are exported in addition to the default. */
  public String detail() {
    return text(Setting.DETAIL);
  }

  /** Returns the maximum number of series. */
  public int seriesLimit() {
    return number(Setting.SERIES_LIMIT);
  }

  /** Returns the URL of Pyroscope, or null for no push. */
  public @Nullable String pyroscopeEndpoint() {
    return textOrNull(Setting.PYROSCOPE_ENDPOINT);
  }

  /** Returns the seconds from one push to Pyroscope to the next. */
  public int pyroscopeIntervalSeconds() {
    return number(Setting.PYROSCOPE_INTERVAL_SECONDS);
  }

  /** Returns the user of the login at Pyroscope, or an empty text. */
  public String pyroscopeUser() {
    return textOrEmpty(Setting.PYROSCOPE_USER);
  }

  /** Returns the file with the token or password of the login at Pyroscope, or null. */
  public @Nullable String pyroscopeTokenFile() {
    return textOrNull(Setting.PYROSCOPE_TOKEN_FILE);
  }

  /** Returns the tenant at Pyroscope, or an empty text. */
  public String pyroscopeTenant() {
    return textOrEmpty(Setting.PYROSCOPE_TENANT);
  }

  /** Returns whether the live profile is pushed to an OpenTelemetry receiver. */
  public boolean hasOtlpProfiles() {
    return text(Setting.OTLP_PROFILES).equals("on");
  }

  /** Returns the URL of the OpenTelemetry receiver, or null. */
  public @Nullable String otlpEndpoint() {
    return textOrNull(Setting.OTLP_ENDPOINT);
  }

  /** Returns the seconds from one push to the OpenTelemetry receiver to the next. */
  public int otlpIntervalSeconds() {
    return number(Setting.OTLP_INTERVAL_SECONDS);
  }

  /** Returns the directory of the dumps, or null for no dumps. */
  public @Nullable String dumpDirectory() {
    return textOrNull(Setting.DUMP_DIRECTORY);
  }
}
