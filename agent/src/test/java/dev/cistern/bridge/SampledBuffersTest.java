/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.LeakDetector;
import dev.cistern.leak.LeakStore;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.Sample;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BridgeDefaults.class)
class SampledBuffersTest {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final LeakDetector detector = new LeakDetector("io.netty", new LeakStore(10, line -> {}));
  private final SampledBuffers sampled = new SampledBuffers();

  private final Level levelBefore = ResourceLeakDetector.getLevel();

  @BeforeEach
  void open() {
    ResourceLeakDetector.setLevel(Level.DISABLED); // no wrappers
    sampled.open();
  }

  @AfterEach
  void withWrappersAgain() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  private AbstractReferenceCountedByteBuf buffer(int bytes) {
    return (AbstractReferenceCountedByteBuf) allocator.heapBuffer(bytes, 1 << 20);
  }

  private LeakTracker<AbstractReferenceCountedByteBuf> tracker(
      AbstractReferenceCountedByteBuf buffer) {
    return detector.track(
        buffer, Sample.byBytes("heap", Sample.POOLED, buffer.capacity(), buffer.capacity(), 1_000));
  }

  private boolean isFiltered(AbstractReferenceCountedByteBuf buffer) {
    return sampled.filter()[SampledBuffers.filterSlot(buffer)] == 0;
  }

  @Test
  void eachBufferIsFoundOnceByItsIdentityInAnyOrder() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    List<AbstractReferenceCountedByteBuf> buffers = new ArrayList<>();
    List<LeakTracker<AbstractReferenceCountedByteBuf>> trackers = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      AbstractReferenceCountedByteBuf buffer = buffer(16);
      buffers.add(buffer);
      trackers.add(tracker(buffer));
      assertThat(sampled.put(buffer, trackers.get(i))).isNull();
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    for (int i : order) {
      assertThat(isFiltered(buffers.get(i))).isFalse();
      assertThat(sampled.remove(buffers.get(i))).isSameAs(trackers.get(i));
      assertThat(sampled.remove(buffers.get(i))).isNull();
    }
    assertThat(sampled.size()).isZero();
    assertThat(sampled.filter()).containsOnly(0);
    buffers.forEach(AbstractReferenceCountedByteBuf::release);
  }

  @Test
  void anObjectThatIsSampledAgainReturnsItsEarlierTracker() {
    AbstractReferenceCountedByteBuf buffer = buffer(16);
    LeakTracker<AbstractReferenceCountedByteBuf> first = tracker(buffer);
    LeakTracker<AbstractReferenceCountedByteBuf> second = tracker(buffer);
    assertThat(sampled.put(buffer, first)).isNull();
    assertThat(sampled.put(buffer, second)).isSameAs(first);
    assertThat(sampled.size()).isOne();
    assertThat(sampled.remove(buffer)).isSameAs(second);
    assertThat(isFiltered(buffer)).isTrue();
    buffer.release();
  }

  @Test
  void aClosedTableAcceptsNoBuffer() {
    AbstractReferenceCountedByteBuf before = buffer(16);
    AbstractReferenceCountedByteBuf after = buffer(16);
    LeakTracker<AbstractReferenceCountedByteBuf> first = tracker(before);
    LeakTracker<AbstractReferenceCountedByteBuf> second = tracker(after);
    assertThat(sampled.put(before, first)).isNull();
    assertThat(sampled.close()).containsExactly(new SampledBuffers.Forgotten(before, first));
    assertThat(sampled.put(after, second)).isSameAs(second);
    assertThat(sampled.size()).isZero();
    assertThat(sampled.filter()).containsOnly(0);
    before.release();
    after.release();
  }

  @Test
  void collectedBuffersAreRemoved() {
    for (int i = 0; i < 100; i++) {
      AbstractReferenceCountedByteBuf lost = buffer(16);
      assertThat(sampled.put(lost, tracker(lost))).isNull();
    }
    GarbageCollection.until(
        () -> {
          sampled.refresh();
          return sampled.size() == 0;
        });
    assertThat(sampled.filter()).containsOnly(0);
  }

  @Test
  void aBufferThatGrewRepresentsAsManyAsBefore() {
    AbstractReferenceCountedByteBuf buffer = buffer(100);
    LeakTracker<AbstractReferenceCountedByteBuf> tracker = tracker(buffer);
    assertThat(sampled.put(buffer, tracker)).isNull();
    buffer.capacity(5_000);
    sampled.refresh();
    assertThat(tracker.sample().requestedBytes()).isEqualTo(5_000);
    assertThat(tracker.sample().slotBytes()).isGreaterThanOrEqualTo(5_000);
    assertThat(tracker.sample().liveBytes()).isEqualTo(50_000);
    buffer.release();
  }
}
