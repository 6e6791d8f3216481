/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mode that is asked for while the agent runs.
 *
 * @param mode the mode
 * @param copies for which copies of Netty
 */
public record ModeRequest(Mode mode, CopyPattern copies) {
  private static final String MODE = "mode";
  private static final String PERCENT = "percent";
  private static final String COPIES = "copies";

  /**
   * Reads the arguments of a second attach.
   *
   * @return null where no mode is asked for
   * @throws BadSettingException if an argument is malformed, or is one that only a start can have
   */
  public static @Nullable ModeRequest read(@Nullable String arguments) throws BadSettingException {
    Map<String, String> values = new HashMap<>();
    for (String argument : Lists.split(arguments == null ? "" : arguments, ',')) {
      if (!argument.isEmpty()) {
        take(argument, values);
      }
    }
    String mode = values.remove(MODE);
    if (mode == null) {
      return null;
    }
    String percent = values.remove(PERCENT);
    String copies = values.remove(COPIES);
    if (!values.isEmpty()) {
      throw new BadSettingException(
          "agent arguments "
              + values.keySet()
              + " can be given at the start only; allowed while it runs: mode, percent, copies");
    }
    if (percent != null && !Form.PERCENT.accepts(percent)) {
      throw new BadSettingException(
          "percent = '" + percent + "' is malformed; allowed: " + Form.PERCENT.allowed());
    }
    return new ModeRequest(
        Mode.of(mode, percent == null ? 100 : (int) Form.number(percent)),
        copies == null ? CopyPattern.ALL : CopyPattern.of(copies));
  }

  private static void take(String argument, Map<String, String> values) throws BadSettingException {
    int equals = argument.indexOf('=');
    String key = argument.substring(0, Math.max(0, equals)).trim();
    if (Setting.byKey(key) == null && !key.equals(COPIES)) {
      throw new BadSettingException(
          "agent argument '" + argument + "' is unknown; allowed: mode, percent, copies");
    }
    if (values.put(key, argument.substring(equals + 1).trim()) != null) {
      throw new BadSettingException("agent argument '" + key + "' is given twice; allowed: once");
    }
  }
}
