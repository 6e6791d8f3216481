/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.kubernetes;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import com.grack.nanojson.JsonParserException;
import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Modules and programs that are only available from Go's module proxy, in fixed versions whose
 * checksums Go verifies. If they are not available, the test is skipped; in CI, it fails.
 */
final class GoTool {
  /**
   * The time limit of a build. A machine that builds a program for the first time also compiles
   * Go's library. The tests that wait for it have a limit of ten minutes.
   */
  private static final long LIMIT_SECONDS = 570;

  private static final Map<String, Path> MODULES = new ConcurrentHashMap<>();

  /**
   * The reasons why modules and programs are not available. They are not tried again, because each
   * attempt may take a minute.
   */
  private static final Map<List<String>, String> FAILED = new ConcurrentHashMap<>();

  private GoTool() {}

  /** Returns the directory with the module's files. */
  static Path module(String moduleAndVersion) {
    return MODULES.computeIfAbsent(moduleAndVersion, GoTool::download);
  }

  private static Path download(String moduleAndVersion) {
    String printed = go(List.of("mod", "download", "-json", moduleAndVersion));
    try {
      JsonObject told = JsonParser.object().from(printed.substring(printed.indexOf("{\n")));
      return Path.of(told.getString("Dir"));
    } catch (JsonParserException e) {
      throw new AssertionError(printed, e);
    }
  }

  /** Returns a program, which is built once and kept in the build directory. */
  static Path program(String packageAndVersion, String name) {
    Path directory = work();
    Path program =
        directory.resolve(
            name + packageAndVersion.substring(packageAndVersion.indexOf('@')) + "/" + name);
    if (!Files.isExecutable(program)) {
      go(List.of("install", packageAndVersion), "GOBIN=" + program.getParent());
    }
    return program;
  }

  private static Path work() {
    try {
      return Files.createDirectories(Repository.path("testing/stack/target/go"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String go(List<String> arguments, String... environment) {
    if (FAILED.containsKey(arguments)) {
      return missing(FAILED.get(arguments));
    }
    List<String> command = new ArrayList<>(List.of(Tool.path("go", "golang-go")));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(work().toFile());
    builder.environment().put("GOFLAGS", "");
    for (String variable : environment) {
      int equals = variable.indexOf('=');
      builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    try {
      Tool.Outcome outcome = Tool.run(builder, LIMIT_SECONDS);
      if (outcome.status() == 0) {
        return outcome.printed();
      }
      String reason = "go " + String.join(" ", arguments) + ": " + outcome.printed().strip();
      FAILED.put(arguments, reason);
      return missing(reason);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String missing(String reason) {
    if (Tool.isRequired()) {
      return fail(reason);
    }
    return abort(reason + ": skipped");
  }
}
