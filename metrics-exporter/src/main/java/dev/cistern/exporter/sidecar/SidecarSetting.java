/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import java.util.Locale;
import java.util.regex.Pattern;

/** All settings of the sidecar. Its help and docs/sidecar.md are generated from this list. */
enum SidecarSetting {
  STATS_DIRECTORY(
      "auto",
      "a directory, or auto",
      "Directory of the hosts' stats files; auto: the default directory of this user"),
  LISTEN("0.0.0.0:9472", "host:port with a port from 0 to 65535", "Address to listen on"),
  CONFIG("none", "a readable file, or none", "YAML file with these settings"),
  WEB_CONFIG(
      "none",
      "a Prometheus web configuration file, or none",
      "Web configuration file: TLS, client certificates, passwords; reloaded when it changes"),
  CONTROL(
      "none",
      "none or on",
      "Commands by POST /control to hosts with control=sidecar; on needs a login in webConfig"),
  POSTMORTEM_DIRECTORY(
      "postmortem in statsDirectory",
      "a directory",
      "Directory of post-mortems, the last stats files of ended hosts"),
  RETENTION_HOURS("168", 1, 87_600, "Hours after which a post-mortem is removed"),
  RETENTION_BYTES(
      "64m",
      "bytes from 1m to 64g; k, m and g multiply",
      "Bytes of all post-mortems together, above which the oldest are removed"),
  DOWN_MINUTES("60", 1, 10_080, "Minutes for which /metrics shows a host after its end"),
  SCAN_MILLIS(
      "1000",
      100,
      60_000,
      "Milliseconds between two searches for ended hosts, independent of scrapes"),
  LEAK_SITES("5", 0, 32, "Number of leak sites with metrics, 2 series each; pools share them"),
  LIVE_SITES("5", 0, 32, "Number of live-buffer sites with metrics, 4 series each"),
  DETAIL(
      "none",
      "none, all, or of internals, arenas, sizes with + between them",
      "Further metrics: internals (thread caches, chunks, leak detector), arenas, sizes (classes)"),
  SERIES_LIMIT(
      "200", 100, 100_000, "Maximum number of series of a host; the rest is left out and counted"),
  OTLP_ENDPOINT(
      "none",
      "http://host:port, https://host:port, or none",
      "OpenTelemetry receiver to which it pushes all metrics, as protobuf over HTTP"),
  OTLP_INTERVAL_SECONDS("60", 1, 3_600, "Seconds from one push to the next"),
  OTLP_HEADERS(
      "none",
      "name=value, with commas between several, or none",
      "Headers of each push; put secrets into the environment variable or the file"),
  OTLP_PROFILES(
      "off",
      "off or on",
      "Push of live profiles to otlpEndpoint, too; the signal is in development and can change"),
  PYROSCOPE_ENDPOINT(
      "none",
      "http://host:port, https://host:port, or none",
      "Grafana Pyroscope to which it pushes the live profiles of all JVMs"),
  PYROSCOPE_INTERVAL_SECONDS("60", 1, 3_600, "Seconds from one push to Pyroscope to the next"),
  PYROSCOPE_USER(
      "none",
      "1 to 100 visible ASCII characters without a comma or colon, or none",
      "User of the login at Pyroscope; none: the token is a bearer token"),
  PYROSCOPE_TOKEN_FILE(
      "none",
      "a readable file, or none",
      "File with the token or password of the login at Pyroscope, read for each push"),
  PYROSCOPE_TENANT(
      "none",
      "1 to 100 visible ASCII characters without a comma or colon, or none",
      "Tenant at Pyroscope, sent as X-Scope-OrgID");

  private static final Pattern UNDERSCORE = Pattern.compile("_(.)");

  private final String defaultText;
  private final String allowed;
  private final String meaning;
  private final long min;
  private final long max;

  SidecarSetting(String defaultText, long min, long max, String meaning) {
    this(defaultText, "a number from " + min + " to " + max, meaning, min, max);
  }

  SidecarSetting(String defaultText, String allowed, String meaning) {
    this(defaultText, allowed, meaning, 0, 0);
  }

  SidecarSetting(String defaultText, String allowed, String meaning, long min, long max) {
    this.defaultText = defaultText;
    this.allowed = allowed;
    this.meaning = meaning;
    this.min = min;
    this.max = max;
  }

  /** Returns the name in YAML; the option has two dashes before it. */
  String key() {
    return UNDERSCORE
        .matcher(name().toLowerCase(Locale.ROOT))
        .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
  }

  /** Returns the environment variable. */
  String environment() {
    return "CISTERN_" + name();
  }

  /** Returns the default. */
  String defaultText() {
    return defaultText;
  }

  /** Returns the permitted values, in words. */
  String allowed() {
    return allowed;
  }

  /** Returns whether a number is permitted, if it is a setting of a number. */
  boolean allows(long number) {
    return number >= min && number <= max;
  }

  /** Returns its effect, in a sentence. */
  String meaning() {
    return meaning;
  }
}
