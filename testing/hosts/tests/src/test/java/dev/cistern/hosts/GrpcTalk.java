/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests to a gRPC host, sent by a gRPC client in a separate JVM. */
final class GrpcTalk implements Client, AutoCloseable {
  private final Process process;
  private final Path answers;
  private final Path errors;

  private GrpcTalk(Process process, Path answers, Path errors) {
    this.process = process;
    this.answers = answers;
    this.errors = errors;
  }

  /** Starts the client, with further arguments of its JVM. */
  static GrpcTalk start(String... jvmArguments) throws IOException {
    return start(client().with(jvmArguments));
  }

  /** Starts the client of a load, the counterpart of {@link HttpLoad}. */
  static GrpcTalk startLoad() throws IOException {
    System.out.println("load by gRPC: -Dcistern.seed=" + HttpLoad.SEED + " repeats it");
    return start(client().arguments(String.valueOf(HttpLoad.SEED)));
  }

  private static HostCommand client() {
    return HostCommand.of("grpc-netty", "example.hosts.grpc.GrpcClient");
  }

  private static GrpcTalk start(HostCommand client) throws IOException {
    Path errors = Files.createTempFile("client", ".err");
    Process process = client.builder().redirectError(errors.toFile()).start();
    return new GrpcTalk(process, Files.createTempFile("client", ".answers"), errors);
  }

  @Override
  public void touch(int port) throws IOException {
    talk(port);
  }

  @Override
  public Map<String, byte[]> talk(int port) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((port + " " + answers + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
    // The reader stays open, because the next call prints more lines.
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    assertThat(out.readLine())
        .as("output of the client; its stderr is %s", errors())
        .isEqualTo("done");
    Map<String, byte[]> answers = new LinkedHashMap<>();
    try (DataInputStream file = new DataInputStream(Files.newInputStream(this.answers))) {
      while (file.available() > 0) {
        String name = file.readUTF();
        answers.put(name, file.readNBytes(file.readInt()));
      }
    }
    return answers;
  }

  @Override
  public Optional<OpenConnection> open(int port) throws IOException {
    return Optional.of(OpenConnection.withCall(port, "/example.hosts.Calls/chat"));
  }

  /** Returns the lines on the client's standard error. */
  List<String> errors() throws IOException {
    return Files.readAllLines(errors, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    HostProcess.kill(process, answers, errors);
  }
}
