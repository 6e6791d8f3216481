/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import dev.cistern.exporter.push.PushOptions;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of the agent. Its key, system property and environment variable derive from the
 * name of the constant; docs/configuration.md contains this table.
 */
public enum Setting {
  MODE(
      ValueType.MODE,
      "swap",
      "Allocator of the Netty copies. swap: Cistern's pool; observe: Netty's own, with metrics and"
          + " sampled buffers; off: Netty's own, untouched until another mode is set"),
  PERCENT(
      ValueType.number(1, 100),
      "100",
      "Percentage of allocations that Cistern's pool serves in mode swap; Netty serves the rest,"
          + " which is observed"),
  INCLUDE(
      ValueType.PATTERNS, "*", "Netty copies to which the mode applies; all other copies are off"),
  EXCLUDE(ValueType.PATTERNS, "none", "Netty copies to leave off even if included"),
  LISTEN(ValueType.ADDRESS, "0.0.0.0:9471", "Address of the endpoint that serves /metrics"),
  WEB_CONFIG(
      ValueType.FILE, "none", "Web configuration file of Prometheus: TLS, passwords, certificates"),
  CONFIG(ValueType.FILE, "none", "YAML file with these settings, one key: value per line"),
  APPLICATION(ValueType.NAME, "the main class or jar", "Name of this application in the metrics"),
  STATS_DIRECTORY(
      ValueType.DIRECTORY_OR_AUTO,
      "auto",
      "Directory of this JVM's stats file, which outlives the JVM; auto: cistern-<user> in"
          + " /dev/shm, or in the directory of temporary files if there is no /dev/shm"),
  STATS_FILE_BYTES(ValueType.bytes("512k", "4m"), "4m", "Size limit of the stats file in bytes"),
  STATS_INTERVAL_MILLIS(
      ValueType.number(100, 60_000), "1000", "Milliseconds between two reports in the stats file"),
  CONTROL(
      ValueType.CONTROL,
      "file",
      "Sources of commands by file. file: owner of the JVM and root; sidecar: also the sidecar"),
  CONTROL_FILE(
      ValueType.ABSOLUTE_OR_AUTO,
      "auto",
      "Path of the control file; auto: beside the stats file, with the suffix .control"),
  CONTROL_RAISES(
      ValueType.FLAG, "false", "Permission of control files to set a mode above the start mode"),
  POD(ValueType.NAME, "none", "Name of this JVM's pod in the metrics"),
  CONTAINER(ValueType.NAME, "none", "Name of this JVM's container in the metrics"),
  SAMPLE_INTERVAL_BYTES(
      ValueType.bytes("1k", "1g").orZero(),
      "512k",
      "Mean bytes between two samples of live profile and leak detector; 0: no samples"),
  LEAK_LEVEL(
      ValueType.LEVEL, "simple", "Level of leak detection, unless Netty's is advanced or paranoid"),
  LEAK_SAMPLING_INTERVAL(
      ValueType.powerOfTwo(1, 1 << 30),
      "128 from advanced on",
      "Number of buffers of which one is watched; at level simple, it replaces sampling by bytes"),
  SITE_RULES(
      ValueType.FILE,
      "none",
      "File with further rules for frames that are not a site: one package or class per line"),
  LEAK_SITES(
      ValueType.SITES, "5", "Number of leak sites with metrics, 2 series each; pools share them"),
  LIVE_SITES(ValueType.SITES, "5", "Number of live-buffer sites with metrics, 4 series each"),
  DETAIL(
      ValueType.DETAIL,
      "none",
      "Further metrics: internals (thread caches, chunks, leak detector), arenas, sizes (classes)"),
  SERIES_LIMIT(
      ValueType.number(100, 100_000),
      "200",
      "Maximum number of series of this JVM; further ones are left out and counted"),
  PYROSCOPE_ENDPOINT(
      ValueType.URL, "none", "Grafana Pyroscope to which the agent pushes the live profile"),
  PYROSCOPE_INTERVAL_SECONDS(
      ValueType.number(1, 3_600), "60", "Seconds from one push to Pyroscope to the next"),
  PYROSCOPE_USER(
      ValueType.HEADER_TEXT,
      "none",
      "User of the login at Pyroscope; none: the token is a bearer token"),
  PYROSCOPE_TOKEN_FILE(
      ValueType.FILE,
      "none",
      "File with the token or password of the login at Pyroscope, read for each push"),
  PYROSCOPE_TENANT(ValueType.HEADER_TEXT, "none", "Tenant at Pyroscope, sent as X-Scope-OrgID"),
  OTLP_PROFILES(
      ValueType.SWITCH,
      "off",
      "Push of the live profile to otlpEndpoint; the signal is in development and can change"),
  OTLP_ENDPOINT(
      ValueType.URL,
      "none",
      "OpenTelemetry receiver of the live profile, as protobuf over HTTP; a sidecar pushes"
          + " metrics"),
  OTLP_INTERVAL_SECONDS(
      ValueType.number(1, 3_600), "60", "Seconds from one push to otlpEndpoint to the next"),
  DUMP_DIRECTORY(
      ValueType.DIRECTORY,
      "none",
      "Directory of leak and live-buffer dumps, made on demand and when direct memory runs out; each"
          + " JVM keeps its first automatic dump and the latest"),
  ARENAS(
      ValueType.number(0, 1024),
      "0",
      "Number of arenas for each kind of memory; 0: twice the processors, fewer if memory is"
          + " small"),
  CHUNK_BYTES(
      ValueType.bytesPowerOfTwo("128k", "64m"), "4m", "Size of a chunk of pool memory in bytes"),
  DECAY_MILLIS(
      ValueType.number(1, 86_400_000), "10000", "Milliseconds until unused memory is freed"),
  FIRST_BUFFER_MILLIS(
      ValueType.number(0, 60_000),
      "200",
      "Maximum milliseconds that the application's first allocation waits for Cistern's pool, so"
          + " that Netty does not reserve a chunk that it would keep; 0: no wait"),
  UNINITIALIZED_ARRAYS(
      ValueType.FLAG, "false", "New heap chunks that keep old heap content instead of zeros");

  /** Settings that concern only reports: a bad value does not disable the agent. */
  private static final Set<Setting> DIAGNOSTIC = EnumSet.range(STATS_DIRECTORY, DUMP_DIRECTORY);

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
  private final ValueType type;

  private final String defaultText;
  private final String meaning;

  Setting(ValueType type, String defaultText, String meaning) {
    this.type = type;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /**
   * Returns the name in agent arguments and YAML: {@code statsDirectory} of {@link
   * #STATS_DIRECTORY}.
   */
  public String key() {
    String[] words = name().split("_", -1);
    StringBuilder key = new StringBuilder(words[0].toLowerCase(Locale.ROOT));
    for (int i = 1; i < words.length; i++) {
      key.append(words[i].charAt(0)).append(words[i].substring(1).toLowerCase(Locale.ROOT));
    }
    return key.toString();
  }

  /** Returns the system property. */
  public String property() {
    return "cistern." + key();
  }

  /** Returns the environment variable. */
  public String environment() {
    return "CISTERN_" + name();
  }

  /** Returns the default value, or a text that describes it. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the accepted values as a text. */
  public String expected() {
    return type.range();
  }

  /** Returns the description for users. */
  public String meaning() {
    return meaning;
  }

  /** Returns whether {@code value} is accepted. */
  boolean accepts(String value) {
    return type.accepts(value);
  }

  /**
   * Checks a value.
   *
   * @param name setting and source, for the message
   * @throws BadSettingException if the value is not accepted
   */
  void check(String name, String value) throws BadSettingException {
    if (!accepts(value)) {
      // A URL may contain a login.
      String shown = type.kind() == ValueType.Kind.URL ? PushOptions.shown(value) : value;
      throw new BadSettingException(name, "'" + shown + "'", type.range());
    }
  }

  /** Returns whether a bad value is ignored with a warning, and does not disable the agent. */
  boolean isDiagnostic() {
    return DIAGNOSTIC.contains(this);
  }

  /** Returns the setting with this key, or null. */
  static @Nullable Setting byKey(String key) {
    for (Setting setting : values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    return null;
  }

  /** Returns all keys, for messages. */
  static String keys() {
    StringJoiner keys = new StringJoiner(", ");
    for (Setting setting : values()) {
      keys.add(setting.key());
    }
    return keys.toString();
  }
}
