/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cistern.exporter.SidecarReports;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A push has one daemon thread, which ignores interrupts and ends when the push is closed. */
class ProfilePushTest {
  @Test
  void itPushesOnAThreadOfItsOwn() throws Exception {
    try (ProfileReceiver receiver = new ProfileReceiver()) {
      PushOptions options =
          PushOptions.pyroscope(receiver.endpoint()).withInterval(Duration.ofSeconds(1));
      Thread thread;
      try (Push push =
          Push.profiles(
              () -> SidecarReports.report(SidecarReports.host(1), System.currentTimeMillis(), 3),
              options)) {
        assertThat(threads()).hasSize(1);
        thread = threads().get(0);
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getContextClassLoader()).isNull();
        thread.interrupt();
        await().until(() -> push.figures().pushes() > 0);
        assertThat(push.figures().dropped()).isZero();
      }
      thread.join(5_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("cistern-push-pyroscope"))
        .toList();
  }
}
