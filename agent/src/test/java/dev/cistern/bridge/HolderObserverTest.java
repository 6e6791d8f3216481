/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.Holder;
import dev.cistern.leak.LeakTracker;
import dev.cistern.leak.WatchFailures;
import dev.cistern.leak.report.HeldSite.Place;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CisternHolders;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hints of observed buffers. The tests make the calls of the instrumented code. */
@ExtendWith(BridgeDefaults.class)
class HolderObserverTest {
  private static final PooledByteBufAllocator POOLED = new PooledByteBufAllocator(true);
  private static final Holder HELD = new Holder(Place.HINT, "held");
  private static final int BYTES = 1 << 20;

  private final Level levelBefore = ResourceLeakDetector.getLevel();
  private final List<ByteBuf> buffers = new ArrayList<>();

  @BeforeEach
  void observe() {
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    Countdowns.intervalBytes(1);
    Observation.turn(true);
    HolderObserver.turn(true);
  }

  @AfterEach
  void stop() {
    HolderObserver.turn(false);
    buffers.forEach(WovenNetty::release);
    Observation.turn(false);
    ResourceLeakDetector.setLevel(levelBefore);
  }

  /** Returns a sampled buffer. A new thread samples with the interval in force. */
  private ByteBuf sampled() throws InterruptedException {
    AtomicReference<ByteBuf> made = new AtomicReference<>();
    Thread thread =
        new FastThreadLocalThread(
            () -> {
              ByteBuf buffer = WovenNetty.allocate(POOLED, BYTES);
              while (Observation.tracker(bare(buffer)) == null) {
                WovenNetty.release(buffer);
                buffer = WovenNetty.allocate(POOLED, BYTES);
              }
              made.set(buffer);
            });
    thread.start();
    thread.join();
    buffers.add(made.get());
    return bare(made.get());
  }

  private static ByteBuf bare(ByteBuf buffer) {
    return buffer.unwrap() == null ? buffer : buffer.unwrap();
  }

  private static Holder holder(ByteBuf buffer) {
    LeakTracker<?> tracker = Observation.tracker(buffer);
    assertThat(tracker).isNotNull();
    return tracker.holder();
  }

  @Test
  void aHintOfASliceIsOfItsBuffer() throws InterruptedException {
    ByteBuf buffer = sampled();
    assertThat(holder(buffer)).isNull();
    ByteBuf slice = buffer.retainedSlice(0, 10);
    CisternHolders.touched(slice, "held");
    assertThat(holder(buffer)).isEqualTo(HELD);
    slice.release();
  }

  @Test
  void aHintOfACompositeIsOfItsParts() throws InterruptedException {
    ByteBuf first = sampled();
    ByteBuf second = sampled();
    CompositeByteBuf composite = POOLED.compositeBuffer();
    composite.addComponents(true, first.retainedSlice(0, 10), second.retain());
    CisternHolders.touched(composite, "held");
    assertThat(holder(first)).isEqualTo(HELD);
    assertThat(holder(second)).isEqualTo(HELD);
    composite.release();
  }

  /** The wrapper of Netty's detector is a composite without parts. */
  @Test
  void aCompositeOfNettysDetectorIsNoFailure() throws InterruptedException {
    assertThat(holder(sampled())).isNull(); // otherwise no composite is visited
    long before = WatchFailures.count();
    ResourceLeakDetector.setLevel(Level.PARANOID);
    CompositeByteBuf composite = POOLED.compositeBuffer();
    assertThat(composite.getClass()).isNotEqualTo(CompositeByteBuf.class);
    CisternHolders.touched(composite, "held");
    assertThat(WatchFailures.count()).isEqualTo(before);
    composite.release();
  }

  @Test
  void aReleasedSliceIsNoFailure() throws InterruptedException {
    long before = WatchFailures.count();
    ByteBuf slice = sampled().retainedSlice(0, 10);
    slice.release();
    CisternHolders.touched(slice, "held");
    assertThat(WatchFailures.count()).isEqualTo(before);
  }
}
