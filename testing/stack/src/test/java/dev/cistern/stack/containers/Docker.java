/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.cistern.testing.Repository;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The Docker engine, used through the commands that a user would type in the project's directory.
 */
final class Docker {
  /** The base images that {@code testing/stack/base-images} creates. */
  private static final Map<String, String> MADE_HERE =
      Map.of(
          "BASE_JRE", "cistern-base/jre:17",
          "BASE_JDK", "cistern-base/jdk:17",
          "BASE_SMALL", "cistern-base/debian:12",
          "PROMETHEUS_IMAGE", "cistern-base/prometheus:12");

  /** The directory with the content of a release archive. */
  private static final String CONTEXT = "release/target/cistern";

  /** The first test makes the base images, and has a limit of ten minutes. */
  private static final long LIMIT_SECONDS = 570;

  private Docker() {}

  /**
   * Skips the test if no engine responds, or if a tool for the base images is missing. In CI, the
   * test fails instead.
   */
  static void require() throws IOException, InterruptedException {
    Tool.path("docker", "docker.io");
    if (call(List.of("docker", "info")).status() != 0) {
      missing("no Docker engine answers: start dockerd");
    }
    if (MADE_HERE.keySet().stream().allMatch(name -> System.getenv(name) != null)) {
      return;
    }
    Tool.path("debootstrap", "debootstrap");
    Tool.Outcome bases = call(List.of(Repository.path("testing/stack/base-images").toString()));
    if (bases.status() != 0) {
      missing(bases.printed());
    }
  }

  /** Returns the image that a variable of compose.yaml names, or the local replacement for it. */
  static String base(String variable) {
    return System.getenv().getOrDefault(variable, MADE_HERE.get(variable));
  }

  private static void missing(String message) {
    if (Tool.isRequired()) {
      fail(message);
    }
    abort(message + ": skipped");
  }

  /** Runs {@code docker} and returns its output. Fails if the command fails. */
  static String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("docker"));
    command.addAll(List.of(arguments));
    Tool.Outcome outcome = call(command);
    assertThat(outcome.status()).as(command + ": " + outcome.printed()).isZero();
    return outcome.printed().strip();
  }

  /** Runs a command in the project's directory, with the base images in its environment. */
  static Tool.Outcome call(List<String> command) throws IOException, InterruptedException {
    return call(command, Map.of());
  }

  static Tool.Outcome call(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(Repository.path(".").toFile());
    MADE_HERE.keySet().forEach(name -> builder.environment().put(name, base(name)));
    builder.environment().putAll(environment);
    Path directory = Files.createTempDirectory("docker");
    try {
      return Tool.run(builder, LIMIT_SECONDS);
    } finally {
      Files.deleteIfExists(directory.resolve("printed.txt"));
      Files.delete(directory);
    }
  }

  /** Builds an image of {@code docker/images} and returns its tag. */
  static String build(String image, String base) throws IOException, InterruptedException {
    return build(image, image, "BASE=" + base);
  }

  static String build(String image, String name, String... buildArguments)
      throws IOException, InterruptedException {
    String tag = "cistern/" + name + ":test";
    List<String> arguments =
        new ArrayList<>(
            List.of("build", "-q", "-t", tag, "-f", "docker/images/" + image + "/Dockerfile"));
    for (String argument : buildArguments) {
      arguments.addAll(List.of("--build-arg", argument));
    }
    arguments.add(CONTEXT);
    run(arguments.toArray(new String[0]));
    return tag;
  }

  /** Returns the size of an image with all its layers, in bytes. */
  static long bytes(String image) throws IOException, InterruptedException {
    return Long.parseLong(run("image", "inspect", "--format", "{{.Size}}", image));
  }
}
