/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The application in a separate JVM. Its standard input is a pipe from this process, so that the
 * application ends with this process, even if this process is killed.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Pattern READY =
      Pattern.compile("ready http=(\\d+) https=(-?\\d+) netty=(\\S+) pid=\\d+");
  private static final Pattern ENDPOINT =
      Pattern.compile("metrics on http://[0-9.]+:(\\d+)/metrics");
  private static final String LOOPBACK = "127.0.0.1";
  private static final long POLL_NANOS = 50_000_000;
  private static final long END_LIMIT_SECONDS = 10;
  private static final int MAX_ERROR_LINES = 10_000;

  private final Process process;
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final Matcher ready;

  private ServerProcess(Process process, Duration limit, Consumer<String> echo)
      throws IOException, InterruptedException {
    this.process = process;
    CompletableFuture<String> readyLine = new CompletableFuture<>();
    Thread errorPump = pump(process.getErrorStream(), this::keep, echo, () -> {});
    pump(
        process.getInputStream(),
        line -> offer(readyLine, line),
        line -> {},
        () -> failAfter(errorPump, readyLine));
    this.ready = READY.matcher(await(readyLine, limit));
    if (!ready.matches()) {
      throw new IOException("no ready line: " + readyLine);
    }
  }

  /**
   * Starts the application and waits for its ready line.
   *
   * @param echo receives each line of its standard error
   * @throws IOException if the application ends, or prints no ready line within {@code limit}; the
   *     message contains its standard error
   */
  public static ServerProcess start(ServerCommand command, Duration limit, Consumer<String> echo)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command.words()).start();
    try {
      return new ServerProcess(process, limit, echo);
    } catch (IOException | InterruptedException | RuntimeException e) {
      end(process);
      throw e;
    }
  }

  /** Returns the plain HTTP port. */
  public int port() {
    return Integer.parseInt(ready.group(1));
  }

  /** Returns the HTTPS port, or -1. */
  public int tlsPort() {
    return Integer.parseInt(ready.group(2));
  }

  /** Returns Netty's version as the application sees it. */
  public String nettyVersion() {
    return ready.group(3);
  }

  /**
   * Returns the agent's endpoint. The agent prints its address on standard error after it has
   * activated, which happens after the application's first buffer. This method therefore sends
   * requests while it waits.
   *
   * @throws IOException if the agent has printed no address after {@code limit}; the message
   *     contains its standard error
   */
  public Metrics awaitMetrics(Duration limit) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      boolean isOver = System.nanoTime() >= deadline || !process.isAlive();
      for (String line : errors) {
        Matcher endpoint = ENDPOINT.matcher(line);
        if (endpoint.find()) {
          return new Metrics(Integer.parseInt(endpoint.group(1)));
        }
        isOver |= line.startsWith("cistern: ") && line.endsWith(", no endpoint");
      }
      if (isOver) {
        throw new IOException("the agent has no endpoint: " + String.join(" | ", errors));
      }
      HttpReply unused = HttpConnection.get(LOOPBACK, port(), "/plaintext");
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Returns the lines on standard error so far. */
  public List<String> errors() {
    return List.copyOf(errors);
  }

  /** Returns the JVM's handle. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns a future that completes with the exit status when the JVM has ended. */
  public CompletableFuture<Integer> ended() {
    return process.onExit().thenApply(Process::exitValue);
  }

  /** Requests the end of the JVM, and kills it after ten seconds. */
  @Override
  public void close() {
    end(process);
  }

  private static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private String await(CompletableFuture<String> readyLine, Duration limit)
      throws IOException, InterruptedException {
    try {
      return readyLine.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException(
          "the application ended before it was ready: " + String.join(" | ", errors), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(
          "the application was not ready after "
              + limit.toSeconds()
              + " s: "
              + String.join(" | ", errors),
          e);
    }
  }

  private static void offer(CompletableFuture<String> readyLine, String line) {
    if (line.startsWith("ready ")) {
      readyLine.complete(line);
    }
  }

  /**
   * Fails the ready line when standard output has ended, and with it the process. It first waits
   * for the remaining lines on standard error.
   */
  private static void failAfter(Thread errorPump, CompletableFuture<String> readyLine) {
    try {
      errorPump.join(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    readyLine.completeExceptionally(new IOException("the application ended"));
  }

  private void keep(String line) {
    if (errors.size() < MAX_ERROR_LINES) {
      errors.add(line);
    }
  }

  private static Thread pump(
      InputStream in, Consumer<String> first, Consumer<String> second, Runnable atEnd) {
    Thread pump =
        new Thread(
            () -> {
              try (var lines =
                  new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  first.accept(line);
                  second.accept(line);
                }
              } catch (IOException | UncheckedIOException e) {
                // The stream closes with the process.
              }
              atEnd.run();
            },
            "server-output");
    pump.setDaemon(true);
    pump.start();
    return pump;
  }
}
