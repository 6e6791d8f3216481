/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A {@link BurstHost} in a separate JVM, and the client that sends bursts to it. */
final class BurstProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newBuilder().build();
  private final Process process;
  private final Path status;
  private final int port;
  private volatile String firstError = "";

  BurstProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    status = Path.of("/proc", String.valueOf(process.pid()), "status");
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    while (line != null && !line.startsWith(BurstHost.READY)) {
      note(line);
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the host has ended: " + firstError);
    }
    port = Integer.parseInt(line.substring(BurstHost.READY.length()));
    Thread reader = new Thread(() -> lines.lines().forEach(this::note), "reader of a host");
    reader.setDaemon(true);
    reader.start();
  }

  private void note(String line) {
    if (firstError.isEmpty() && line.contains("Error")) {
      firstError = line;
    }
  }

  /** Sends requests that the host holds until all have arrived, and returns how long it took. */
  long burstMillis(int requests, long bytes) throws IOException {
    long begin = System.nanoTime();
    URI uri = URI.create("http://127.0.0.1:" + port + "/" + requests + "/" + bytes / requests);
    HttpRequest request =
        HttpRequest.newBuilder(uri).version(HttpClient.Version.HTTP_1_1).timeout(LIMIT).build();
    List<CompletableFuture<?>> responses = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
    }
    try {
      CompletableFuture.allOf(responses.toArray(new CompletableFuture<?>[0])).join();
    } catch (CompletionException e) {
      throw new IOException(firstError.isEmpty() ? e.toString() : firstError, e);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  long residentBytes() {
    return Meter.statusBytes(status, Meter.RESIDENT);
  }

  long peakBytes() {
    return Meter.statusBytes(status, "VmHWM:");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
