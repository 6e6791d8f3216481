/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.config;

import org.jspecify.annotations.Nullable;

/** A name for the application from the command that started it, without its arguments. */
final class ApplicationName {
  private ApplicationName() {}

  static String guess(@Nullable String command) {
    if (command == null || command.isEmpty()) {
      return "java";
    }
    int space = command.indexOf(' ');
    String main = space < 0 ? command : command.substring(0, space);
    if (main.endsWith(".jar")) {
      main = main.substring(0, main.length() - ".jar".length());
    }
    int start = Math.max(main.lastIndexOf('/'), main.lastIndexOf('\\'));
    String name = main.substring(start + 1);
    return name.isEmpty() ? "java" : name;
  }
}
