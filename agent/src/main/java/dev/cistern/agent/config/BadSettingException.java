/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

/**
 * A setting that cannot be followed; the message names it, its value, the reason and what is
 * allowed.
 */
public final class BadSettingException extends Exception {
  private static final long serialVersionUID = 1;

  BadSettingException(String message) {
    super(message);
  }
}
