/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * Every setting of the agent: the one table from which arguments are checked and
 * docs/configuration.md is compared.
 */
public enum Setting {
  MODE(
      "mode",
      Form.MODE,
      "swap",
      "swap: our pool serves; observe: Netty keeps its allocator, whose figures are shown and whose"
          + " buffers are sampled; off: the agent only looks out, until another mode is set"),
  PERCENT(
      "percent",
      Form.PERCENT,
      "100",
      "In mode swap, how many of a hundred allocations our pool serves; the others are Netty's, and"
          + " observed"),
  INCLUDE(
      "include",
      Form.PATTERNS,
      "*",
      "Copies of Netty that the mode is meant for; the others are off"),
  EXCLUDE("exclude", Form.PATTERNS, "none", "Copies of Netty that are off all the same"),
  LISTEN("listen", Form.ADDRESS, "0.0.0.0:9471", "Where /metrics is served"),
  WEB_CONFIG(
      "webConfig",
      Form.FILE,
      "none",
      "Prometheus web configuration file: TLS, passwords and client certificates of the endpoint"),
  DIR(
      "dir",
      Form.STATS_DIRECTORY,
      "auto",
      "Where the stats file of this JVM is written, which outlives it; auto: cistern-<user> in"
          + " /dev/shm, or where that is not there, in the directory of temporary files"),
  STATS_FILE_BYTES(
      "statsFileBytes",
      Form.FILE_BYTES,
      "4m",
      "The most that the stats file may grow to; what does not fit is left out and counted"),
  STATS_INTERVAL_MILLIS(
      "statsIntervalMillis",
      Form.PERIOD,
      "1000",
      "Milliseconds between two reports in the stats file"),
  CONFIG("config", Form.FILE, "none", "YAML file with these settings, one key: value a line"),
  APPLICATION(
      "application", Form.NAME, "the main class or jar", "Name of this application in the metrics"),
  POD("pod", Form.NAME, "none", "Name of the pod that this JVM runs in, for the metrics"),
  CONTAINER(
      "container",
      Form.NAME,
      "none",
      "Name of the container that this JVM runs in, for the metrics"),
  SAMPLE_INTERVAL(
      "sampleInterval",
      Form.BYTES_OR_ZERO,
      "512k",
      "Mean bytes between two samples of the live profile, which the leak detector watches too; 0:"
          + " none is drawn"),
  LEAK_LEVEL(
      "leakLevel",
      Form.LEVEL,
      "simple",
      "How closely buffers are watched for leaks; Netty's own level counts where it is advanced or"
          + " paranoid"),
  SAMPLING_INTERVAL(
      "samplingInterval",
      Form.INTERVAL,
      "128 from advanced on",
      "One in so many buffers is watched; where it is set, at the simple level too, instead of"
          + " samples drawn by bytes"),
  LEAK_SITES("leakSites", Form.SITES, "10", "Leaking sites with metrics of their own"),
  LIVE_SITES("liveSites", Form.SITES, "20", "Sites of live buffers with metrics of their own"),
  DETAIL(
      "detail",
      Form.DETAIL,
      "none",
      "Whether single arenas and size classes have metrics of their own, too"),
  SERIES_LIMIT(
      "seriesLimit",
      Form.SERIES,
      "300, or 5000 with detail",
      "Series of this JVM at most; what does not fit is left out and counted"),
  DUMP_DIRECTORY(
      "dumpDirectory",
      Form.NEW_DIRECTORY,
      "none",
      "Where leaks and live buffers are dumped when direct memory runs out, and on demand"),
  ARENAS(
      "arenas",
      Form.COUNT_OR_ZERO,
      "0",
      "Arenas for each kind of memory; 0: twice the processors, fewer where memory is small"),
  CHUNK_BYTES("chunkBytes", Form.CHUNK, "4m", "Size of the pieces in which a pool takes memory"),
  DECAY_MILLIS(
      "decayMillis",
      Form.COUNT,
      "10000",
      "Milliseconds after which memory that nobody uses is given back"),
  FIRST_BUFFER_MILLIS(
      "firstBufferMillis",
      Form.WAIT,
      "200",
      "Milliseconds that the application's first buffer waits at most for our pool, so that Netty"
          + " need not make a chunk that it would keep; 0: it does not wait"),
  UNINITIALIZED_ARRAYS(
      "uninitializedArrays",
      Form.FLAG,
      "false",
      "Whether new chunks on the Java heap keep old content of the heap instead of zeros");

  private final String key;
  private final Form form;
  private final String defaultText;
  private final String meaning;

  Setting(String key, Form form, String defaultText, String meaning) {
    this.key = key;
    this.form = form;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** The name in agent arguments and YAML; {@code cistern.} before it makes the property. */
  public String key() {
    return key;
  }

  /** The system property. */
  public String property() {
    return "cistern." + key;
  }

  /** The environment variable. */
  public String environment() {
    return "CISTERN_" + name();
  }

  /** What holds when nobody says otherwise. */
  public String defaultText() {
    return defaultText;
  }

  /** What may be given, in words. */
  public String allowed() {
    return form.allowed();
  }

  /** What it does, in a sentence. */
  public String meaning() {
    return meaning;
  }

  /** Whether {@code value} may be given. */
  boolean accepts(String value) {
    return form.accepts(value);
  }

  /**
   * Whether it is about what is shown only: a bad value is refused and the default kept, and the
   * agent serves all the same.
   */
  boolean isOfDiagnostics() {
    return switch (this) {
      case DIR,
          STATS_FILE_BYTES,
          STATS_INTERVAL_MILLIS,
          POD,
          CONTAINER,
          SAMPLE_INTERVAL,
          LEAK_LEVEL,
          SAMPLING_INTERVAL,
          LEAK_SITES,
          LIVE_SITES,
          DETAIL,
          SERIES_LIMIT,
          DUMP_DIRECTORY ->
          true;
      default -> false;
    };
  }

  /** The setting with this key, or null. */
  static @Nullable Setting byKey(String key) {
    for (Setting setting : values()) {
      if (setting.key.equals(key)) {
        return setting;
      }
    }
    return null;
  }

  /** All keys, for messages. */
  static String keys() {
    StringBuilder keys = new StringBuilder();
    for (Setting setting : values()) {
      keys.append(keys.length() == 0 ? "" : ", ").append(setting.key);
    }
    return keys.toString();
  }
}
