/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends endless load and a slow leak to an application that may restart. In docker/compose.yaml, it
 * runs next to the demo application.
 */
public final class Traffic {
  private static final int CONNECTIONS = 4;
  private static final Duration LONGEST_LOAD = Duration.ofHours(1);
  private static final int LEAKED_BUFFER_BYTES = 16_384;
  private static final int SECONDS_BETWEEN_COLLECTIONS = 10;

  private final TrafficOptions options;

  private Traffic(TrafficOptions options) {
    this.options = options;
  }

  /** Runs until the process is ended. The exit status is 2 for invalid options. */
  public static void main(String[] args) {
    TrafficOptions options;
    try {
      options = TrafficOptions.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println("traffic: " + e.getMessage());
      System.err.println(TrafficOptions.USAGE);
      System.exit(2);
      return;
    }
    new Traffic(options).run();
  }

  private void run() {
    String target = options.host() + ":" + options.port();
    String said = "";
    while (true) {
      String now = "waits for " + target;
      try {
        if (HttpConnection.get(options.host(), options.port(), "/plaintext").status() == 200) {
          System.out.printf(
              "traffic: %d requests/s and %d leaked buffers/s for %s%n",
              options.requestsPerSecond(), options.leaksPerSecond(), target);
          said = "";
          loadUntilItFails();
          now = "the load on " + target + " has ended";
        }
      } catch (IOException e) {
        now += " (" + e.getMessage() + ")";
      }
      // A repeated reason is printed only once.
      if (!now.equals(said)) {
        System.out.println("traffic: " + now);
        said = now;
      }
      pauseSecond();
    }
  }

  private void loadUntilItFails() throws IOException {
    LoadPlan plan =
        new LoadPlan(CONNECTIONS, LONGEST_LOAD, Long.MAX_VALUE, options.requestsPerSecond());
    try (LoadDriver load = LoadDriver.start(options.host(), options.port(), plan);
        HttpConnection connection = HttpConnection.open(options.host(), options.port())) {
      String leak = "/leak?count=" + options.leaksPerSecond() + "&size=" + LEAKED_BUFFER_BYTES;
      for (int second = 0; load.isRunning(); second++) {
        if (options.leaksPerSecond() > 0) {
          expectOk(connection.get(leak));
        }
        // A busy application collects garbage often, but one under light load seldom does.
        expectOk(connection.get(second % SECONDS_BETWEEN_COLLECTIONS == 0 ? "/gc" : "/plaintext"));
        pauseSecond();
      }
    }
  }

  private static void expectOk(HttpReply reply) throws IOException {
    if (reply.status() != 200) {
      throw new IOException("the application answered " + reply.status() + ": " + reply.text());
    }
  }

  private static void pauseSecond() {
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
  }
}
