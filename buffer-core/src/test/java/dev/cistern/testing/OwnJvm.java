/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.testing;

import dev.cistern.util.Settings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code main} of the tests in a JVM of its own, with settings of its own. */
public final class OwnJvm {
  private static final long MOST_SECONDS = 60;

  private final Class<?> main;
  private final List<String> options = new ArrayList<>();
  private final List<Class<?>> also = new ArrayList<>();

  private OwnJvm(Class<?> main) {
    this.main = main;
  }

  /** Will run this class, with the classes of the library and of the tests. */
  public static OwnJvm of(Class<?> main) {
    return new OwnJvm(main);
  }

  /** With these options of the JVM, too. */
  public OwnJvm with(String... jvmOptions) {
    options.addAll(Arrays.asList(jvmOptions));
    return this;
  }

  /** With the classes that come from where these do, too. */
  public OwnJvm with(Class<?>... others) {
    also.addAll(Arrays.asList(others));
    return this;
  }

  /**
   * Runs it, and returns all that it said.
   *
   * @throws AssertionError if it does not end within a minute, or not with 0
   */
  public String run(String... arguments) throws IOException, InterruptedException {
    Path output = Files.createTempFile("own-jvm", ".txt");
    try {
      Process process =
          new ProcessBuilder(command(arguments))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String said = Files.readString(output);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(
            main.getSimpleName()
                + (ended ? " ended with " + process.exitValue() : " did not end in time")
                + "; it said: "
                + said);
      }
      return said;
    } finally {
      Files.delete(output);
    }
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(options);
    command.add("-cp");
    command.add(classPath());
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private String classPath() {
    List<String> path = new ArrayList<>();
    path.add(place(main));
    path.add(place(Settings.class));
    also.forEach(other -> path.add(place(other)));
    return String.join(File.pathSeparator, path);
  }

  private static String place(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}
