/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.log;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The agent's log on stderr: few lines, each of which makes sense by itself. */
public final class Log {
  private Log() {}

  /** Prints one line, and the stack trace of {@code failure} below it. */
  public static void failure(String text, Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    System.err.print("cistern: " + text + System.lineSeparator() + trace);
  }

  /** Prints one line. */
  public static void line(String text) {
    System.err.println("cistern: " + text);
  }
}
