/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code bin/cistern}. */
final class Script {
  /** The result of a run: its exit status and its output. */
  record Outcome(int status, String out, String err) {}

  private Script() {}

  /** Runs a script to its end. */
  static Outcome run(Path script, Path directory, Duration limit, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("script", ".out");
    Path err = Files.createTempFile("script", ".err");
    Process process =
        builder(List.of(script.toString()), arguments)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("still running after " + limit + ": " + Files.readString(out));
      }
      return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      end(process);
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts a script as a terminal does: in a separate process group that ignores no signals. */
  static Process startAsTerminalDoes(Path script, String... arguments) throws IOException {
    return builder(
            List.of("setsid", "env", "--default-signal=INT,TERM", script.toString()), arguments)
        .redirectErrorStream(true)
        .start();
  }

  /** Ends a script and all its child processes. */
  static void end(Process process) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
  }

  private static ProcessBuilder builder(List<String> command, String... arguments) {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder;
  }
}
