/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

/** Every setting of the sidecar: the one table that its help and docs/sidecar.md show. */
enum SidecarSetting {
  STATS_DIRECTORY(
      "statsDirectory",
      "auto",
      "a directory, or auto",
      "Where the hosts write their stats files; auto: where those of this user do by default"),
  LISTEN("listen", "0.0.0.0:9472", "host:port with a port from 0 to 65535", "Where it serves"),
  CONFIG("config", "none", "a readable file, or none", "YAML file with these settings"),
  WEB_CONFIG(
      "webConfig",
      "none",
      "a Prometheus web configuration file, or none",
      "TLS, client certificates and passwords; read again when it changes"),
  CONTROL(
      "control",
      "none",
      "none or on",
      "Commands by POST /control to hosts with control=sidecar; on needs a login in webConfig"),
  POSTMORTEM_DIRECTORY(
      "postmortemDirectory",
      "postmortem in statsDirectory",
      "a directory",
      "Where it keeps what hosts left that are gone"),
  RETENTION_HOURS(
      "retentionHours",
      "168",
      "a number from 1 to 87600",
      "Hours after which a post-mortem is removed"),
  RETENTION_BYTES(
      "retentionBytes",
      "64m",
      "bytes from 1m to 64g; k, m and g multiply",
      "Bytes of all post-mortems together, above which the oldest are removed"),
  DOWN_MINUTES(
      "downMinutes",
      "60",
      "a number from 1 to 10080",
      "Minutes for which /metrics shows a host after its end"),
  SCAN_MILLIS(
      "scanMillis",
      "1000",
      "a number from 100 to 60000",
      "Milliseconds after which it looks for hosts that have ended, scraped or not"),
  LEAK_SITES(
      "leakSites",
      "10",
      "a number from 0 to 21",
      "Leaking sites of a host with metrics of their own"),
  LIVE_SITES(
      "liveSites",
      "20",
      "a number from 0 to 21",
      "Sites of live buffers of a host with metrics of their own"),
  DETAIL(
      "detail",
      "none",
      "none, arenas, sizes or all",
      "Whether single arenas and size classes have metrics of their own, too"),
  SERIES_LIMIT(
      "seriesLimit",
      "300, or 5000 with detail",
      "a number from 300 to 100000",
      "Series of a host at most; what does not fit is left out and counted"),
  OTLP_ENDPOINT(
      "otlpEndpoint",
      "none",
      "http://host:port, https://host:port, or none",
      "OpenTelemetry receiver to which it pushes all metrics, as protobuf over HTTP"),
  OTLP_INTERVAL_SECONDS(
      "otlpIntervalSeconds", "60", "a number from 1 to 3600", "Seconds from one push to the next"),
  OTLP_HEADERS(
      "otlpHeaders",
      "none",
      "name=value, with commas between several, or none",
      "Headers of each push; what is secret belongs into the variable or the file");

  private final String key;
  private final String defaultText;
  private final String allowed;
  private final String meaning;

  SidecarSetting(String key, String defaultText, String allowed, String meaning) {
    this.key = key;
    this.defaultText = defaultText;
    this.allowed = allowed;
    this.meaning = meaning;
  }

  /** The name in YAML; with two dashes before it, the option. */
  String key() {
    return key;
  }

  /** The environment variable. */
  String environment() {
    return "CISTERN_" + name();
  }

  /** What holds when nobody says otherwise. */
  String defaultText() {
    return defaultText;
  }

  /** What may be given, in words. */
  String allowed() {
    return allowed;
  }

  /** What it does, in a sentence. */
  String meaning() {
    return meaning;
  }
}
