/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.leak.report.ChunkHolder;
import dev.cistern.leak.report.StackDetail;
import example.leaky.Sites;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the sites whose samples keep nearly empty chunks. */
class LeakChunkHoldersTest {
  private static final int CHUNK_BYTES = 1_000;

  private final IdentityHashMap<Object, ChunkUse> uses = new IdentityHashMap<>();
  private final List<Object> buffers = new ArrayList<>();
  private final LeakDetector detector =
      new LeakDetector(
          "io.netty",
          new LeakStore(8, line -> {}),
          new LeakDetector.Options(
              1_000,
              frame -> false,
              Object::toString,
              0,
              List.of(),
              hint -> Holder.ofText("unused"),
              this::use));
  private long nanos = System.nanoTime();
  private boolean isBroken;

  @BeforeEach
  void useTestClock() {
    detector.clock(() -> nanos);
  }

  private @Nullable ChunkUse use(Object buffer) {
    if (isBroken) {
      throw new NoSuchFieldError("injected");
    }
    return uses.get(buffer);
  }

  /** Keeps a buffer at a site, in a chunk unless that is null. */
  private void keep(int site, @Nullable Object chunk, long usedBytes) {
    Object buffer = new Object();
    buffers.add(buffer);
    LeakTracker<Object> unused =
        AtSites.track(
            detector, site, buffer, Sample.byBytes("direct", Sample.POOLED, 10, 16, 1_000));
    if (chunk != null) {
      uses.put(buffer, new ChunkUse(chunk, usedBytes, CHUNK_BYTES));
    }
  }

  private List<ChunkHolder> holders() {
    return detector.live(0, StackDetail.FRAMES).detail().holders();
  }

  @Test
  void nearlyEmptyChunksCountOnceForEachSite() {
    Object shared = new Object();
    keep(0, shared, 100);
    keep(0, shared, 100);
    keep(0, new Object(), 50);
    keep(1, shared, 100);
    keep(1, "fuller", 101);
    keep(2, null, 0);
    assertThat(holders())
        .containsExactly(
            new ChunkHolder("direct", Sites.name(0), 2, 150, 2 * CHUNK_BYTES, 3),
            new ChunkHolder("direct", Sites.name(1), 1, 100, CHUNK_BYTES, 1));
  }

  @Test
  void theSitesWithTheMostBytesAreReported() {
    for (int site = 0; site < 12; site++) {
      for (int chunk = 0; chunk <= site; chunk++) {
        keep(site, new Object(), 1);
      }
    }
    assertThat(holders())
        .extracting(ChunkHolder::chunks)
        .containsExactly(12L, 11L, 10L, 9L, 8L, 7L, 6L, 5L);
  }

  @Test
  void holdersAreSearchedForEveryTenSeconds() {
    assertThat(holders()).isEmpty();
    keep(0, new Object(), 1);
    nanos += BufferSearch.INTERVAL_NANOS - 1;
    assertThat(holders()).isEmpty();
    nanos++;
    assertThat(holders()).hasSize(1);
  }

  @Test
  void aFailureIsCountedAndTheReportIsMade() {
    keep(0, new Object(), 1);
    isBroken = true;
    long before = WatchFailures.count();
    assertThat(holders()).isEmpty();
    assertThat(detector.live(0, StackDetail.FRAMES).stacks()).hasSize(1);
    assertThat(WatchFailures.count()).isEqualTo(before + 1);
  }

  @Test
  void buffersOfThePoolKnowTheirChunk() {
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf one = allocator.directBuffer(1_000);
    ByteBuf other = allocator.directBuffer(1_000);
    ByteBuf extent = allocator.directBuffer(64 << 20);
    try {
      ChunkUse use = ChunkPart.of(one);
      ChunkUse useOfOther = ChunkPart.of(other);
      assertThat(use).isNotNull();
      assertThat(useOfOther).isNotNull();
      assertThat(use.chunk()).isSameAs(useOfOther.chunk());
      assertThat(use.usedBytes()).isPositive();
      assertThat(use.isNearlyEmpty()).as("%s", use).isTrue();
      assertThat(ChunkPart.of(extent)).isNull();
      assertThat(ChunkPart.of("another object")).isNull();
    } finally {
      one.release();
      other.release();
      extent.release();
    }
  }
}
