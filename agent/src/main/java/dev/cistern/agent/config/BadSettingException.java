/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

/** Thrown for a setting with an unknown name or a bad value; the message names what is expected. */
public final class BadSettingException extends Exception {
  private static final long serialVersionUID = 1;

  /** Names a setting, what is wrong with it, and what is expected. */
  public BadSettingException(String name, String problem, String expected) {
    super(name + ": " + problem + " (expected: " + expected + ")");
  }
}
