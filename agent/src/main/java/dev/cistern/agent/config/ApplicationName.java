/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import org.jspecify.annotations.Nullable;

/** The name of the application, from the command that started it, without its arguments. */
final class ApplicationName {
  private ApplicationName() {}

  static String guess(@Nullable String command) {
    String main = command == null ? "" : command.split(" ", 2)[0];
    if (main.endsWith(".jar")) {
      main = main.substring(0, main.length() - ".jar".length());
    }
    String name = main.substring(Math.max(main.lastIndexOf('/'), main.lastIndexOf('\\')) + 1);
    return name.isEmpty() ? "java" : name;
  }
}
