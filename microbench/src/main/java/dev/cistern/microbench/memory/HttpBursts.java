/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Sends bursts of requests to HTTP hosts, and measures the resident memory after each. */
final class HttpBursts {
  static final String WORD = "http-bursts";
  static final int REQUESTS = 128;
  static final long BYTES = 700L << 20;

  private static final int WARM_UP_REQUESTS = 8;
  private static final long WARM_UP_BYTES = 512L << 10;
  private static final int WARM_UP_PAUSE_SECONDS = 3;
  private static final int IDLE_SECONDS = 20;

  /** The number of hosts that run at the same time; each may keep the memory of a burst. */
  private static final int SIDE_BY_SIDE = 4;

  private final int bursts;

  /** Held during a burst, so that the other hosts idle. */
  private final ReentrantLock turn = new ReentrantLock();

  HttpBursts(int bursts) {
    this.bursts = bursts;
  }

  /** Runs all hosts on all JDKs. */
  List<BurstOutcome> run() throws InterruptedException {
    ExecutorService drivers = Executors.newFixedThreadPool(SIDE_BY_SIDE);
    List<Future<BurstOutcome>> running = new ArrayList<>();
    BurstJdks.homes()
        .forEach(
            (java, home) -> {
              for (BurstSubject subject : BurstSubject.values()) {
                running.add(drivers.submit(() -> measure(subject, java, home)));
              }
            });
    drivers.shutdown();
    List<BurstOutcome> outcomes = new ArrayList<>();
    for (Future<BurstOutcome> each : running) {
      try {
        outcomes.add(each.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return outcomes;
  }

  private BurstOutcome measure(BurstSubject subject, int java, Path home)
      throws InterruptedException {
    System.out.println(WORD + " " + subject.title() + ", Java " + java);
    List<Long> after = new ArrayList<>();
    List<Long> millis = new ArrayList<>();
    try (BurstProcess host = new BurstProcess(subject.command(home))) {
      host.burstMillis(WARM_UP_REQUESTS, WARM_UP_BYTES);
      TimeUnit.SECONDS.sleep(WARM_UP_PAUSE_SECONDS);
      long start = host.residentBytes();
      for (int i = 0; i < bursts; i++) {
        turn.lock();
        try {
          millis.add(host.burstMillis(REQUESTS, BYTES));
        } finally {
          turn.unlock();
        }
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        after.add(host.residentBytes());
      }
      return new BurstOutcome(subject, java, start, host.peakBytes(), after, millis, "");
    } catch (IOException e) {
      return new BurstOutcome(subject, java, 0, 0, after, millis, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the tables, in Markdown. */
  static String text(List<BurstOutcome> outcomes) {
    StringBuilder text = new StringBuilder(BurstOutcome.HEAD);
    outcomes.forEach(outcome -> text.append(outcome.row()));
    text.append("\n| host | figure | value | target | |\n|---|---|---|---|---|\n");
    outcomes.forEach(outcome -> text.append(outcome.targetRow()));
    return text.toString();
  }
}
