/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.Reports;
import dev.cistern.exporter.report.CopyChunks;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CachedHostsTest {
  private static final long MAX_AGE_NANOS = 500;
  private static final String ID = Reports.host().host().id();

  private final AtomicLong now = new AtomicLong(1);
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger chunkLooks = new AtomicInteger();
  private final Hosts counted =
      new Hosts() {
        @Override
        public List<HostView> all() {
          looks.incrementAndGet();
          return List.of(HostView.of(Reports.host()));
        }

        @Override
        public List<CopyChunks> chunks(String hostId) {
          chunkLooks.incrementAndGet();
          return List.of();
        }
      };
  private final Hosts recent = new CachedHosts(counted, MAX_AGE_NANOS, now::get);

  @Test
  void requestsWithinAMomentShareOneReading() {
    for (int i = 0; i < 100; i++) {
      assertThat(recent.all()).hasSize(1);
      recent.chunks(ID);
    }
    assertThat(looks).hasValue(1);
    assertThat(chunkLooks).hasValue(1);
    now.addAndGet(MAX_AGE_NANOS + 1);
    recent.all();
    recent.chunks(ID);
    assertThat(looks).hasValue(2);
    assertThat(chunkLooks).hasValue(2);
  }

  @Test
  void unknownHostsAreNotRead() {
    for (int i = 0; i < 100; i++) {
      assertThat(recent.chunks("other" + i)).isEmpty();
    }
    assertThat(chunkLooks).hasValue(0);
  }

  @Test
  void readinessIsFoundOnceASecond() {
    ReadyPage page =
        new ReadyPage(
            new Hosts() {
              @Override
              public List<HostView> all() {
                if (looks.incrementAndGet() > 1) {
                  throw new IllegalStateException("broken");
                }
                return List.of();
              }
            },
            now::get);
    for (int i = 0; i < 100; i++) {
      assertThat(page.ready().status()).isEqualTo(200);
    }
    assertThat(looks).hasValue(1);
    now.addAndGet(1_000_000_001);
    for (int i = 0; i < 100; i++) {
      assertThat(page.ready().status()).isEqualTo(503);
    }
    assertThat(looks).hasValue(2);
  }
}
