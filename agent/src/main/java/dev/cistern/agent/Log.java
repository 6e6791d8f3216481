/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

/** The agent's lines on stderr: few, and each readable by itself. */
public final class Log {
  private Log() {}

  /** Prints one line. */
  public static void line(String text) {
    System.err.println("cistern: " + text);
  }
}
