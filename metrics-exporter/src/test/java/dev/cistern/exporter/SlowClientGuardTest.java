/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SlowClientGuardTest {
  private static final long CLIENT_LIMIT_MILLIS = 200;
  private static final long LIMIT_SECONDS = 30;

  private final EndpointFigures figures = new EndpointFigures();
  private final SlowClientGuard guard =
      new SlowClientGuard(figures, TimeUnit.MILLISECONDS.toNanos(CLIENT_LIMIT_MILLIS));

  /** Never opened: whoever waits for it is interrupted, or waits out its time. */
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void close() {
    guard.close();
  }

  private CompletableFuture<Boolean> interruptedWithin(Runnable phase, long millis) {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    guard.execute(
        () -> {
          phase.run();
          try {
            boolean opened = never.await(millis, TimeUnit.MILLISECONDS);
            interrupted.complete(opened);
          } catch (InterruptedException e) {
            interrupted.complete(true);
          }
        });
    return interrupted;
  }

  private void work() {
    try {
      guard.received();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    guard.working();
  }

  @Test
  void whoWaitsTooLongForARequestIsInterrupted() throws Exception {
    assertThat(
            interruptedWithin(() -> {}, TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))
                .get(LIMIT_SECONDS, TimeUnit.SECONDS))
        .isTrue();
  }

  @Test
  void whoWaitsTooLongForItsAnswerToBeTakenIsInterrupted() throws Exception {
    Runnable phase =
        () -> {
          work();
          guard.writing();
        };
    assertThat(
            interruptedWithin(phase, TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))
                .get(LIMIT_SECONDS, TimeUnit.SECONDS))
        .isTrue();
  }

  @Test
  void whoWorksIsLeftAlone() throws Exception {
    assertThat(
            interruptedWithin(this::work, 5 * CLIENT_LIMIT_MILLIS)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS))
        .isFalse();
  }

  @Test
  void anInterruptEndsWithItsExchange() throws Exception {
    for (int i = 0; i < 8; i++) {
      interruptedWithin(() -> {}, TimeUnit.SECONDS.toMillis(LIMIT_SECONDS))
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      CompletableFuture<Boolean> next = new CompletableFuture<>();
      guard.execute(() -> next.complete(Thread.currentThread().isInterrupted()));
      assertThat(next.get(LIMIT_SECONDS, TimeUnit.SECONDS)).isFalse();
    }
  }
}
