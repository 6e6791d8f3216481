/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** A process that runs {@link EndpointProgram}. */
final class EndpointProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader printed;
  private final Path errors;
  private final int port;

  /** Resource usage of the process. */
  record Usage(long heapBytes, int threads, long residentKibibytes, int openFiles) {}

  EndpointProcess(Path directory, String... arguments) throws IOException {
    this(directory, List.of("-Xmx64m", "-XX:+UseSerialGC"), arguments);
  }

  EndpointProcess(Path directory, List<String> options, String... arguments) throws IOException {
    errors = directory.resolve("errors.txt");
    process =
        Tool.java(options, EndpointProgram.class, arguments).redirectError(errors.toFile()).start();
    printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = printed.readLine();
    if (line == null) {
      throw new IOException(Files.readString(errors));
    }
    port = Integer.parseInt(line);
  }

  int port() {
    return port;
  }

  /** Returns the standard error of the process. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  synchronized Usage usage() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    String[] parts = Objects.requireNonNull(printed.readLine(), "ended").split(" ", -1);
    return new Usage(
        Long.parseLong(parts[0]),
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Integer.parseInt(parts[3]));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
