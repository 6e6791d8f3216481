/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands that a test runs, some of which can be missing on a machine. */
public final class Tool {
  private static final long KILL_SECONDS = 10;

  private Tool() {}

  /** The exit status and the output, on both streams, of a command that has ended. */
  public record Outcome(int status, String printed) {}

  /** Runs a command to its end, and then ends all processes that it started. */
  public static Outcome run(ProcessBuilder builder, long limitSeconds)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("tool", ".txt");
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      boolean isEnded;
      try {
        isEnded = process.waitFor(limitSeconds, TimeUnit.SECONDS);
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        boolean unused = process.destroyForcibly().waitFor(KILL_SECONDS, TimeUnit.SECONDS);
      }
      if (!isEnded) {
        throw new AssertionError(
            builder.command() + " did not end within " + limitSeconds + " s: " + read(output));
      }
      return new Outcome(process.exitValue(), read(output));
    } finally {
      Files.delete(output);
    }
  }

  private static String read(Path output) throws IOException {
    return Files.readString(output, StandardCharsets.UTF_8);
  }

  /** Returns the path of a command of this JVM's JDK. */
  public static String jdk(String command) {
    return Path.of(System.getProperty("java.home"), "bin", command).toString();
  }

  /** Returns the builder of a process that runs a program of the tests in a separate JVM. */
  public static ProcessBuilder java(List<String> options, Class<?> program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(jdk("java"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /**
   * Returns whether a test fails, and is not skipped, when this machine lacks something: in the
   * builds {@code -Pfull} and {@code -Plong} with the environment variable {@code CI=true}.
   */
  public static boolean isRequired() {
    return !TestLength.isShort() && "true".equals(System.getenv("CI"));
  }

  /**
   * Returns the command's path. A test without it is skipped, or fails if it {@link #isRequired}.
   */
  public static String path(String command, String debianPackage) {
    String directories = System.getenv().getOrDefault("PATH", "");
    for (String directory : directories.split(File.pathSeparator, -1)) {
      Path file = Path.of(directory, command);
      if (Files.isExecutable(file)) {
        return file.toString();
      }
    }
    String message = command + " is not installed (Debian package " + debianPackage + ")";
    if (isRequired()) {
      fail(message);
    }
    return abort(message + ": skipped");
  }
}
