/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A program that runs to its end. */
final class Program {
  /** The exit status and the output on both streams. */
  record Outcome(int status, String output) {}

  private Program() {}

  /** Runs a program. Fails if it does not end within the limit. */
  static Outcome run(ProcessBuilder builder, long limitSeconds)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("program", ".txt");
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      try {
        if (!process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
          throw new AssertionError(
              builder.command() + " still runs after " + limitSeconds + " s: " + read(output));
        }
        return new Outcome(process.exitValue(), read(output));
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } finally {
      Files.delete(output);
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file);
  }
}
