/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings in force: checked, and immutable. */
public final class AgentConfig {
  private final Map<Setting, String> given;

  AgentConfig(Map<Setting, String> given) {
    this.given = new EnumMap<>(Setting.class);
    this.given.putAll(given);
  }

  private @Nullable String given(Setting setting) {
    return given.get(setting);
  }

  private String text(Setting setting) {
    String value = given(setting);
    return value == null ? setting.defaultText() : value;
  }

  /** {@code swap}, {@code observe} or {@code off}. */
  public String mode() {
    return text(Setting.MODE);
  }

  /** {@code host:port} of the endpoint, or null for none. */
  public @Nullable String listen() {
    String listen = text(Setting.LISTEN);
    return listen.equals("none") ? null : listen;
  }

  /** What this JVM is called in the metrics. */
  public String application() {
    String name = given(Setting.APPLICATION);
    return name == null ? ApplicationName.guess(System.getProperty("sun.java.command")) : name;
  }

  /** What a bridge is told, by name. */
  public Map<String, Long> poolNumbers() {
    Map<String, Long> numbers = new HashMap<>();
    numbers.put("arenas", Form.number(text(Setting.ARENAS)));
    numbers.put("chunkBytes", Form.bytes(text(Setting.CHUNK_BYTES)));
    numbers.put("decayMillis", Form.number(text(Setting.DECAY_MILLIS)));
    numbers.put("trimNativeHeapBytes", Form.bytes(text(Setting.TRIM_NATIVE_HEAP_BYTES)));
    numbers.put("sampleInterval", Form.bytes(text(Setting.SAMPLE_INTERVAL)));
    return numbers;
  }
}
