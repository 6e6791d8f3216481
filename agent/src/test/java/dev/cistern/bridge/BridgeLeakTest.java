/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.pool.LeakLevel;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.NettyPool;
import dev.cistern.netty.pool.NettyPools;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.testing.GarbageCollection;
import example.host.DeepStack;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.ResourceLeakHint;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The leak detection for the bridge's buffers if Netty's own level is high. */
@ExtendWith(BridgeDefaults.class)
class BridgeLeakTest {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final BridgeHook hook = new BridgeHook();
  private final Level levelBefore = ResourceLeakDetector.getLevel();

  @BeforeEach
  void atParanoid() {
    ResourceLeakDetector.setLevel(Level.PARANOID);
  }

  @AfterEach
  void poolIsSound() {
    ResourceLeakDetector.setLevel(levelBefore);
    PoolInvariants.check(NettyPools.DIRECT_ENGINE);
    PoolInvariants.check(NettyPools.HEAP_ENGINE);
  }

  private ByteBuf allocate(boolean direct, int capacity) {
    return direct
        ? hook.newDirect(allocator, capacity, 1 << 20)
        : hook.newHeap(allocator, capacity, 1 << 20);
  }

  /** Returns the record of the leak of a buffer with this requested size, once it was found. */
  private static LeakRecord leaked(int requestedBytes) {
    List<LeakRecord> found = new ArrayList<>();
    GarbageCollection.until(
        () -> {
          int unused = NettyLeakDetector.DETECTOR.tick();
          for (LeakEntry entry : NettyLeakDetector.report(StackDetail.FRAMES).entries()) {
            if (entry.latest().requestedBytes() == requestedBytes) {
              found.add(entry.latest());
            }
          }
          return !found.isEmpty();
        });
    return found.get(0);
  }

  private static List<String> operations(List<LeakAccess> accesses) {
    return accesses.stream().map(LeakAccess::operation).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("E1")
  @Tag("E2")
  @Tag("E5")
  void aLeakIsRecordedWithItsAccessesAndTheChangesOfItsCount(boolean direct) {
    int size = direct ? 2_011 : 2_017;
    DeepStack.run(0, () -> useAndDrop(direct, size));
    LeakRecord leak = leaked(size);
    assertThat(leak.memory()).isEqualTo(direct ? "direct" : "heap");
    assertThat(leak.slotBytes()).isGreaterThanOrEqualTo(size);
    assertThat(leak.stack().site()).contains("BridgeLeakTest.allocate:"); // no frame of Cistern
    assertThat(leak.stack().frames()).anyMatch(frame -> frame.contains("DeepStack.run("));
    assertThat(operations(leak.accesses())).contains("touch").doesNotContain("retain", "release");
    assertThat(leak.accesses()).extracting(LeakAccess::hint).contains("the handler");
    assertThat(operations(leak.counts())).contains("retain");
  }

  private void useAndDrop(boolean direct, int size) {
    ByteBuf buffer = allocate(direct, size);
    pause();
    buffer.retain();
    pause();
    buffer.touch((ResourceLeakHint) () -> "the handler");
  }

  /** Waits until the next access no longer belongs to the same burst. */
  private static void pause() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < 10_000) {
      Thread.onSpinWait();
    }
  }

  @Test
  @Tag("E2")
  void aHintThatFailsIsNamedByItsClassAndNettyFailsAsWithoutTheAgent() {
    dropWithBadHint();
    assertThat(leaked(2_027).accesses())
        .extracting(LeakAccess::hint)
        .anyMatch(hint -> hint.contains("BadHint") && hint.contains("IllegalStateException"));
  }

  private void dropWithBadHint() {
    ByteBuf buffer = allocate(true, 2_027);
    assertThatThrownBy(() -> buffer.touch(new BadHint())).isInstanceOf(IllegalStateException.class);
  }

  private static final class BadHint implements ResourceLeakHint {
    @Override
    public String toHintString() {
      throw new IllegalStateException("no text");
    }
  }

  @Test
  @Tag("E2")
  void aStackOfMoreThanAThousandFramesIsReported() {
    DeepStack.run(1_500, () -> allocate(true, 2_029).writeInt(1));
    LeakRecord leak = leaked(2_029);
    assertThat(leak.stack().site()).contains("BridgeLeakTest.allocate:");
    assertThat(leak.stack().frames()).anyMatch(frame -> frame.contains("DeepStack.run("));
    assertThat(leak.stack().cutFrames()).isGreaterThan(500);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Tag("E1")
  void aBufferThatMovesIsStillWatched(boolean direct) {
    int size = direct ? 2_039 : 2_053;
    growAndDrop(direct, size);
    int grown = 100 * size;
    LeakRecord leak = leaked(grown);
    assertThat(leak.slotBytes()).isGreaterThanOrEqualTo(grown);
    assertThat(leak.accesses()).isNotEmpty();
  }

  private void growAndDrop(boolean direct, int size) {
    ByteBuf buffer = allocate(direct, size);
    assertThat(buffer.capacity(100 * size).capacity()).isEqualTo(100 * size);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReleasedBufferStaysReleasedWhenItsSlotIsReused(boolean direct) {
    ByteBuf released = allocate(direct, 100);
    ByteBuf bare = released.unwrap();
    long failuresBefore = NettyLeakDetector.report(StackDetail.FRAMES).failures();
    assertThat(released.release()).isTrue();
    for (int i = 0; i < 100_000; i++) {
      allocate(direct, 100).release();
    }
    assertThatThrownBy(() -> released.getByte(0))
        .isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> bare.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(bare::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThat(NettyLeakDetector.report(StackDetail.FRAMES).failures()).isEqualTo(failuresBefore);
  }

  @Test
  void theSelfTestPassesAtParanoid() {
    NettyBridge bridge = Bridge.open(BridgeDefaults.OPTIONS);
    assertThat(bridge.selfTest()).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = Level.class,
      names = {"DISABLED", "SIMPLE"})
  void belowAdvancedNettysLevelDoesNotApplyToCistern(Level level) {
    ResourceLeakDetector.setLevel(level);
    assertThat(NettyLeakDetector.level()).isEqualTo(LeakLevel.SIMPLE);
    long watched = NettyLeakDetector.report(StackDetail.FRAMES).watched();
    List<ByteBuf> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(allocate(true, 16));
    }
    assertThat(NettyLeakDetector.report(StackDetail.FRAMES).watched())
        .isBetween(watched, watched + 1);
    held.forEach(ByteBuf::release);
  }

  @Test
  @Tag("E1")
  void aSwitchedLevelAppliesToLaterAllocations() {
    long watched = NettyLeakDetector.report(StackDetail.FRAMES).watched();
    ResourceLeakDetector.setLevel(Level.DISABLED);
    ByteBuf before = allocate(true, 16);
    ResourceLeakDetector.setLevel(Level.PARANOID);
    ByteBuf during = allocate(true, 16);
    assertThat(NettyLeakDetector.report(StackDetail.FRAMES).level()).isEqualTo("paranoid");
    assertThat(NettyLeakDetector.report(StackDetail.FRAMES).watched()).isEqualTo(watched + 1);
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    before.release();
    during.release();
    assertThat(NettyLeakDetector.report(StackDetail.FRAMES).watched()).isEqualTo(watched);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSampleRepresentsOnlyTheSlotThatABufferMovedTo(boolean direct) {
    ResourceLeakDetector.setLevel(Level.DISABLED);
    String memory = direct ? "direct" : "heap";
    NettyPool pool = direct ? NettyPools.DIRECT : NettyPools.HEAP;
    LiveEstimate before = NettyLeakDetector.live(StackDetail.FRAMES).total(memory);
    List<ByteBuf> held = new ArrayList<>();
    pool.engine().sampleIntervalBytes(1);
    try {
      // Cached slots were sampled at the previous interval, so the first buffers are not samples.
      for (int i = 0; i < 3_000; i++) {
        ByteBuf buffer = allocate(direct, 1_000);
        held.add(buffer.capacity(100_000));
      }
    } finally {
      pool.engine().sampleIntervalBytes(512 << 10);
    }
    LiveEstimate live = NettyLeakDetector.live(StackDetail.FRAMES).total(memory);
    long samples = live.samples() - before.samples();
    double error = 4 * (live.bytesError() + before.bytesError());
    assertThat(samples).isBetween(1L, 3_000L);
    assertThat(live.bytes() - before.bytes()).isBetween(0.0, 3_000 * 100_000.0 + error);
    held.forEach(ByteBuf::release);
    assertThat(NettyLeakDetector.live(StackDetail.FRAMES).total(memory).samples())
        .isEqualTo(before.samples());
  }

  private static long samples() {
    return NettyLeakDetector.allocations(StackDetail.SITE).samples();
  }

  private static long lifetimes() {
    return NettyLeakDetector.lifetimes().stream()
        .flatMap(report -> report.samples().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private void hold(List<ByteBuf> held, boolean direct, boolean isMoved) {
    for (int i = 0; i < 3_000; i++) {
      ByteBuf buffer = allocate(direct, 1_000);
      held.add(isMoved ? buffer.capacity(60_000) : buffer);
    }
  }

  /**
   * Samples that another sample replaces are not counted: those of moved buffers and those by
   * count.
   */
  @ParameterizedTest
  @CsvSource({"true, DISABLED", "false, DISABLED", "true, ADVANCED", "true, PARANOID"})
  void eachSampledAllocationThatIsReleasedHasOneLifetime(boolean direct, Level level)
      throws InterruptedException {
    ResourceLeakDetector.setLevel(level);
    NettyPool pool = direct ? NettyPools.DIRECT : NettyPools.HEAP;
    long samplesBefore = samples();
    long lifetimesBefore = lifetimes();
    List<ByteBuf> held = new ArrayList<>();
    pool.engine().sampleIntervalBytes(1);
    try {
      // A new thread, because the other ones have raised their intervals.
      Thread thread = new FastThreadLocalThread(() -> hold(held, direct, level == Level.DISABLED));
      thread.start();
      thread.join();
    } finally {
      pool.engine().sampleIntervalBytes(512 << 10);
    }
    assertThat(lifetimes() - lifetimesBefore).isLessThan(samples() - samplesBefore);
    held.forEach(ByteBuf::release);
    long samples = samples() - samplesBefore;
    assertThat(samples).isBetween(100L, 6_000L);
    assertThat(lifetimes() - lifetimesBefore).isEqualTo(samples);
  }

  /**
   * At the advanced level a buffer can be sampled by its bytes and by count. These are two
   * estimates of one leak.
   */
  @Test
  void aLeakThatIsSampledTwoWaysIsEstimatedOnce() {
    ResourceLeakDetector.setLevel(Level.ADVANCED);
    int leaked = 20_000;
    int size = 1_031;
    for (int i = 0; i < leaked; i++) {
      ByteBuf unused = allocate(true, size);
    }
    GarbageCollection.untilAsserted(
        () -> {
          int unused = NettyLeakDetector.DETECTOR.tick();
          long bytes =
              NettyLeakDetector.report(StackDetail.FRAMES).entries().stream()
                  .filter(entry -> entry.latest().requestedBytes() == size)
                  .mapToLong(LeakEntry::bytes)
                  .sum();
          // The standard error is about 7 %.
          assertThat((double) bytes / size / leaked).isBetween(0.6, 1.4);
        });
  }
}
