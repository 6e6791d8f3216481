/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to change the mode of a running agent.
 *
 * @param mode requested mode
 * @param copies copies of Netty to change
 */
public record ModeRequest(Mode mode, CopyPattern copies) {
  private static final String MODE = "mode";
  private static final String PERCENT = "percent";
  private static final String COPIES = "copies";
  private static final String EXPECTED = "mode, percent, copies";

  /**
   * Reads the arguments of another attach.
   *
   * @return the request, or null if there is no mode
   * @throws BadSettingException if an argument is malformed, or is allowed only at the start
   */
  public static @Nullable ModeRequest read(@Nullable String arguments) throws BadSettingException {
    Map<String, String> values = ConfigReader.parse(arguments);
    for (String key : values.keySet()) {
      if (Setting.byKey(key) == null && !key.equals(COPIES)) {
        throw new BadSettingException("agent argument " + key, "unknown name", EXPECTED);
      }
    }
    String mode = values.remove(MODE);
    if (mode == null) {
      return null;
    }
    ModeRequest request = of(mode, values.remove(PERCENT), values.remove(COPIES));
    if (!values.isEmpty()) {
      throw new BadSettingException(
          "agent arguments " + values.keySet(), "the agent has already started", EXPECTED);
    }
    return request;
  }

  /**
   * Returns a request.
   *
   * @param percent share of allocations that the pool serves in mode {@code swap}; null: all
   * @param copies pattern of the copies to change; null: all
   * @throws BadSettingException if a value is malformed
   */
  public static ModeRequest of(String mode, @Nullable String percent, @Nullable String copies)
      throws BadSettingException {
    if (percent != null) {
      Setting.PERCENT.check(PERCENT, percent);
    }
    return new ModeRequest(
        Mode.of(mode, percent == null ? 100 : Integer.parseInt(percent)),
        copies == null ? CopyPattern.ALL : CopyPattern.of(copies));
  }
}
