/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings in force: checked, and immutable. */
public final class AgentConfig {
  private final Map<Setting, String> given;

  private final List<String> complaints;

  AgentConfig(Map<Setting, String> given, List<String> complaints) {
    this.given = new EnumMap<>(Setting.class);
    this.given.putAll(given);
    this.complaints = List.copyOf(complaints);
  }

  /** A line for each setting that was refused, and whose default was kept. */
  public List<String> complaints() {
    return complaints;
  }

  private @Nullable String given(Setting setting) {
    return given.get(setting);
  }

  private String text(Setting setting) {
    String value = given(setting);
    return value == null ? setting.defaultText() : value;
  }

  /** The mode of each copy of Netty that is included. */
  public Mode mode() {
    try {
      return Mode.of(text(Setting.MODE), (int) Form.number(text(Setting.PERCENT)));
    } catch (BadSettingException checked) {
      throw new IllegalStateException(checked);
    }
  }

  /** The copies that the mode is meant for. */
  public List<CopyPattern> include() {
    return CopyPattern.list(text(Setting.INCLUDE));
  }

  /** The copies that are off all the same. */
  public List<CopyPattern> exclude() {
    return CopyPattern.list(text(Setting.EXCLUDE));
  }

  /** {@code host:port} of the endpoint, or null for none. */
  public @Nullable String listen() {
    String listen = text(Setting.LISTEN);
    return listen.equals("none") ? null : listen;
  }

  /** The web configuration of the endpoint, or null for none. */
  public @Nullable String webConfig() {
    String file = text(Setting.WEB_CONFIG);
    return file.equals("none") ? null : file;
  }

  /** What this JVM is called in the metrics. */
  public String application() {
    String name = given(Setting.APPLICATION);
    return name == null ? ApplicationName.guess(System.getProperty("sun.java.command")) : name;
  }

  /** Where the stats file goes, {@code auto} for the default place, or null for none. */
  public @Nullable String statsDirectory() {
    String directory = text(Setting.DIR);
    return directory.equals("none") ? null : directory;
  }

  /** The most that the stats file may grow to. */
  public int statsFileBytes() {
    return (int) Form.bytes(text(Setting.STATS_FILE_BYTES));
  }

  /** Milliseconds between two reports in the stats file. */
  public long statsIntervalMillis() {
    return Form.number(text(Setting.STATS_INTERVAL_MILLIS));
  }

  /** The pod's name; empty if it is not told. */
  public String pod() {
    return nameOrEmpty(Setting.POD);
  }

  /** The container's name; empty if it is not told. */
  public String container() {
    return nameOrEmpty(Setting.CONTAINER);
  }

  private String nameOrEmpty(Setting setting) {
    String name = text(setting);
    return name.equals("none") ? "" : name;
  }

  /** What a bridge is told, by name. */
  public Map<String, Long> poolNumbers() {
    Map<String, Long> numbers = new HashMap<>();
    numbers.put("arenas", Form.number(text(Setting.ARENAS)));
    numbers.put("chunkBytes", Form.bytes(text(Setting.CHUNK_BYTES)));
    numbers.put("decayMillis", Form.number(text(Setting.DECAY_MILLIS)));
    numbers.put("firstBufferMillis", Form.number(text(Setting.FIRST_BUFFER_MILLIS)));
    numbers.put("uninitializedArrays", text(Setting.UNINITIALIZED_ARRAYS).equals("true") ? 1L : 0L);
    numbers.put("sampleInterval", Form.bytes(text(Setting.SAMPLE_INTERVAL)));
    numbers.put("leakLevel", (long) Form.level(text(Setting.LEAK_LEVEL)));
    String interval = given(Setting.SAMPLING_INTERVAL);
    if (interval != null) {
      numbers.put("samplingInterval", Form.number(interval));
    }
    return numbers;
  }

  /** Leaking sites with metrics of their own. */
  public int leakSites() {
    return (int) Form.number(text(Setting.LEAK_SITES));
  }

  /** Sites of live buffers with metrics of their own. */
  public int liveSites() {
    return (int) Form.number(text(Setting.LIVE_SITES));
  }

  /** What is shown of single arenas and sizes: 0 nothing, 1 arenas, 2 sizes, 3 both. */
  public int detail() {
    return Form.detail(text(Setting.DETAIL));
  }

  /** Series at most; 0 where the default holds. */
  public int seriesLimit() {
    String limit = given(Setting.SERIES_LIMIT);
    return limit == null ? 0 : (int) Form.number(limit);
  }

  /** Where dumps go, or null for none. */
  public @Nullable String dumpDirectory() {
    String directory = text(Setting.DUMP_DIRECTORY);
    return directory.equals("none") ? null : directory;
  }
}
