/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The packaged server, or its Netty twin, in a separate JVM, which ends with this process. */
final class ServerRun implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("ready http=(-?\\d+) echo=(-?\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern ALLOCATIONS = Pattern.compile("cistern allocations=(\\d+)");
  private static final long END_LIMIT_SECONDS = 15;

  /** The limit of all waits: far more than any of them takes. */
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final Path errors;
  private final Process process;
  private final BufferedReader output;
  private final Matcher ready;

  private ServerRun(List<String> command) throws IOException {
    errors = Files.createTempFile("server", ".err");
    process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    output = process.inputReader();
    ready = READY.matcher(String.valueOf(output.readLine()));
    assertThat(ready.matches()).as("ready; %s", Files.readString(errors)).isTrue();
  }

  static ServerRun example() throws IOException {
    return new ServerRun(command(exampleClassPath(), "example.server.Server", SERVING));
  }

  /** Starts the twin with an allocator, {@code netty} or {@code cistern}. */
  static ServerRun twin(String allocator) throws IOException {
    Path target = target("cistern.twin.target");
    String classPath =
        target.resolve("cistern-example-server-netty.jar") + ":" + target.resolve("lib") + "/*";
    List<String> command = command(classPath, "example.netty.Server", SERVING);
    command.add(command.indexOf("-cp"), "-Dexample.allocator=" + allocator);
    return new ServerRun(command);
  }

  private static final List<String> SERVING =
      List.of("--http-port", "0", "--echo-port", "0", "--threads", "2", "--end-with-input");

  static String exampleClassPath() {
    Path target = target("cistern.server.target");
    return target.resolve("cistern-example-server.jar") + ":" + target.resolve("lib") + "/*";
  }

  static Path target(String property) {
    return Path.of(Objects.requireNonNull(System.getProperty(property), property));
  }

  /** Returns the command, in a shell with the maximum number of open files. */
  static List<String> command(String classPath, String program, List<String> arguments) {
    List<String> command = new ArrayList<>(withFiles());
    command.add(Tool.jdk("java"));
    command.addAll(List.of("-Xmx256m", "-cp", classPath, program));
    command.addAll(arguments);
    return command;
  }

  static List<String> withFiles() {
    return List.of("sh", "-c", "ulimit -S -n $(ulimit -H -n); exec \"$@\"", "sh");
  }

  SocketChannel connectHttp() throws IOException {
    return connect(1);
  }

  SocketChannel connectEcho() throws IOException {
    return connect(2);
  }

  int httpPort() {
    return Integer.parseInt(ready.group(1));
  }

  private SocketChannel connect(int port) throws IOException {
    return SocketChannel.open(
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), Integer.parseInt(ready.group(port))));
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns the exit status. */
  int status() {
    return process.exitValue();
  }

  /** Returns the resident set, in bytes. */
  long residentBytes() throws IOException {
    Matcher line =
        RESIDENT.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/status")));
    assertThat(line.find()).isTrue();
    return Long.parseLong(line.group(1)) * 1024;
  }

  /** Returns the server's report of its memory. */
  Memory memory() {
    try {
      process.outputWriter().append("memory\n").flush();
      return Memory.parse(output.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the server has no connections and no pinned memory. */
  void awaitIdle() {
    Awaitility.await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              Memory memory = memory();
              assertThat(memory.connections()).isZero();
              assertThat(memory.pinned()).isZero();
            });
  }

  /** Ends the server normally, and returns its last report. */
  Memory end() throws IOException, InterruptedException {
    process.outputWriter().close();
    Memory last = Memory.parse(output.readLine());
    assertThat(process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return last;
  }

  /** Ends the twin, and returns how many buffers Cistern's pools served it. */
  long endTwin() throws IOException, InterruptedException {
    process.outputWriter().close();
    assertThat(process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    Matcher allocations = ALLOCATIONS.matcher(Files.readString(errors));
    return allocations.find() ? Long.parseLong(allocations.group(1)) : 0;
  }

  /**
   * Ends the server, and asserts that no memory remains and that its standard error has only JVM
   * warnings.
   */
  void endClean() throws IOException, InterruptedException {
    Memory last = end();
    assertThat(last.connections()).isZero();
    assertThat(last.pinned()).as("bytes of unreleased buffers").isZero();
    assertThat(last.leaks()).isZero();
    // A newer JDK warns about sun.misc.Unsafe.
    assertThat(Files.readAllLines(errors)).allMatch(line -> line.startsWith("WARNING: "));
  }

  /** Ends the server if it runs. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Files.delete(errors);
  }
}
