/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The load of an HTTP host in production: {@value #CONNECTIONS} connections at the same time,
 * bodies of {@value #MIN_BODY_BYTES} B to {@value #MAX_BODY_BYTES} B, a client that does not read,
 * and requests that are cancelled while the client sends or receives. Every body that returns is
 * compared with the body that was sent.
 */
final class HttpLoad implements Client {
  static final int CONNECTIONS = 8;
  static final int MIN_BODY_BYTES = 10;
  static final int MAX_BODY_BYTES = 5_000_000;

  /** The seed of the sizes, the bytes and the cancelled requests. */
  static final long SEED = Long.getLong("cistern.seed", System.nanoTime());

  /** The time limit for all requests of all connections, just below the limit of a test. */
  private static final Duration LIMIT = Duration.ofSeconds(170);

  private static final int REQUESTS = 12;

  /** One in this number of requests is cancelled. */
  private static final int CANCELLED = 6;

  /** Responses of other connections that arrive while one client does not read. */
  private static final int RESPONSES_MEANWHILE = 24;

  private final String path;

  private final boolean cancels;

  private HttpLoad(String path, boolean cancels) {
    this.path = path;
    this.cancels = cancels;
  }

  /** Returns a load of echoes. */
  static HttpLoad echo() {
    return new HttpLoad("/echo", true);
  }

  /**
   * Returns the same load without cancelled requests, for a host that leaks their buffers itself.
   */
  static HttpLoad echoToTheEnd() {
    return new HttpLoad("/echo", false);
  }

  @Override
  public void touch(int port) throws Exception {
    ExecutorService writers = Executors.newCachedThreadPool();
    try (LoadConnection connection = LoadConnection.open(port)) {
      exchange(connection, new byte[MIN_BODY_BYTES], writers);
    } finally {
      writers.shutdown();
    }
  }

  /** Returns the digests of all bodies. */
  @Override
  public Map<String, byte[]> talk(int port) throws Exception {
    System.out.println("load of port " + port + ": -Dcistern.seed=" + SEED + " repeats it");
    Map<String, byte[]> digests = new ConcurrentSkipListMap<>();
    LoadProgress progress = new LoadProgress();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int number = 0; number < CONNECTIONS; number++) {
        Requests requests = new Requests(port, number, progress, threads, digests);
        ends.add(threads.submit(requests::run));
      }
      for (Future<?> end : ends) {
        end.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("load with -Dcistern.seed=" + SEED + " failed", e);
    } finally {
      threads.shutdownNow();
    }
    return digests;
  }

  private void exchange(LoadConnection connection, byte[] body, ExecutorService writers)
      throws Exception {
    CompletableFuture<Void> sent = connection.post(path, body, writers);
    byte[] received = connection.receive();
    sent.get(HostProcess.LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertSame(body, received);
  }

  private static void assertSame(byte[] body, byte[] received) {
    assertThat(Arrays.mismatch(received, body))
        .as("first byte that differs in a body of %d B", body.length)
        .isEqualTo(-1);
  }

  /** The sequential requests of one connection. */
  private final class Requests {
    private final int port;
    private final int number;
    private final LoadProgress progress;
    private final ExecutorService threads;
    private final Map<String, byte[]> digests;
    private final Random random;

    Requests(
        int port,
        int number,
        LoadProgress progress,
        ExecutorService threads,
        Map<String, byte[]> digests) {
      this.port = port;
      this.number = number;
      this.progress = progress;
      this.threads = threads;
      this.digests = digests;
      // The first values of Random are similar for consecutive seeds.
      this.random = new Random((SEED + number) * 0x9E3779B97F4A7C15L);
    }

    Void run() throws Exception {
      if (number != 0) {
        progress.awaitSlowClient(LIMIT);
      }
      LoadConnection connection = LoadConnection.open(port);
      try {
        for (int request = 0; request < REQUESTS; request++) {
          byte[] body = new byte[size(request)];
          random.nextBytes(body);
          int choice = cancels ? random.nextInt(2 * CANCELLED) : 2 * CANCELLED;
          if (number == 0 && request == 0) {
            receiveSlowly(body);
            // The JDK's server closes a connection that has sent nothing for 30 s.
            connection.close();
            connection = LoadConnection.open(port);
          } else if (choice == 0) {
            connection.post(path, body, body.length / 2);
            connection.reset();
            connection = LoadConnection.open(port);
          } else if (choice == 1) {
            CompletableFuture<Void> sent = connection.post(path, body, threads);
            connection.receiveHead();
            connection.reset();
            // The reset can fail the writer.
            sent.exceptionally(failure -> null).get();
            connection = LoadConnection.open(port);
          } else {
            exchange(connection, body, threads);
            record(request, body);
          }
        }
        return null;
      } catch (Exception | AssertionError e) {
        progress.fail();
        throw e;
      } finally {
        connection.close();
      }
    }

    /** Stops reading until other connections have received responses, then reads the rest. */
    private void receiveSlowly(byte[] body) throws Exception {
      try (LoadConnection connection = LoadConnection.withSmallWindow(port)) {
        CompletableFuture<Void> sent = connection.post(path, body, threads);
        progress.awaitMore(RESPONSES_MEANWHILE, LIMIT);
        byte[] received = connection.receive();
        sent.get();
        assertSame(body, received);
        record(0, body);
      }
    }

    private void record(int request, byte[] body) throws NoSuchAlgorithmException {
      digests.put(
          "connection %d, request %02d, %d B".formatted(number, request, body.length),
          MessageDigest.getInstance("SHA-256").digest(body));
      progress.received();
    }

    /**
     * Returns a size. Sizes of 10 to 100 B and of 500 kB to 5 MB are equally frequent, and include
     * the limits.
     */
    private int size(int request) {
      if (number == 0 && request == 0) {
        return MAX_BODY_BYTES;
      }
      if (number == 1 && request == 0) {
        return MIN_BODY_BYTES;
      }
      double ratio = (double) MAX_BODY_BYTES / MIN_BODY_BYTES;
      return (int) (MIN_BODY_BYTES * Math.pow(ratio, random.nextDouble()));
    }
  }
}
