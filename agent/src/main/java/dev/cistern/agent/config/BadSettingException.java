/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

/**
 * Thrown for a setting with an unknown name or a bad value; the message names the expected values.
 */
public final class BadSettingException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates an exception whose message names the setting, the problem and the expected values. */
  public BadSettingException(String name, String problem, String expected) {
    super(name + ": " + problem + " (expected: " + expected + ")");
  }
}
