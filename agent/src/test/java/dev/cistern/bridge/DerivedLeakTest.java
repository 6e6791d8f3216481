/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.leak.report.LeakAccess;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.StackDetail;
import dev.cistern.netty.pool.NettyLeakDetector;
import dev.cistern.netty.pool.WatchedBuffers;
import dev.cistern.testing.GarbageCollection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Slices and duplicates of buffers whose accesses are recorded. */
@ExtendWith(BridgeDefaults.class)
@Tag("E2")
class DerivedLeakTest {
  private final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
  private final BridgeHooks hooks = new BridgeHooks(BridgeDefaults.OPTIONS);
  private final Level levelBefore = ResourceLeakDetector.getLevel();

  /** The ways to derive a buffer. */
  private enum Way {
    SLICE(false, ByteBuf::slice),
    SLICE_OF_RANGE(false, b -> b.slice(1, 4)),
    READ_SLICE(false, b -> b.readSlice(4)),
    DUPLICATE(false, ByteBuf::duplicate),
    READ_ONLY(false, ByteBuf::asReadOnly),
    @SuppressWarnings("deprecation") // hosts still call order()
    SWAPPED(false, b -> b.order(ByteOrder.LITTLE_ENDIAN)),
    RETAINED_SLICE(true, ByteBuf::retainedSlice),
    RETAINED_SLICE_OF_RANGE(true, b -> b.retainedSlice(1, 4)),
    READ_RETAINED_SLICE(true, b -> b.readRetainedSlice(4)),
    RETAINED_DUPLICATE(true, ByteBuf::retainedDuplicate),
    SLICE_OF_RETAINED(true, b -> b.retainedSlice().slice()),
    RETAINED_OF_RETAINED(
        true,
        b -> {
          ByteBuf outer = b.retainedDuplicate();
          ByteBuf inner = outer.retainedSlice(0, 4);
          outer.release();
          return inner;
        });

    final boolean isRetained;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
    final UnaryOperator<ByteBuf> derive;

    Way(boolean isRetained, UnaryOperator<ByteBuf> derive) {
      this.isRetained = isRetained;
      this.derive = derive;
    }
  }

  @AfterEach
  void levelAsBefore() {
    ResourceLeakDetector.setLevel(levelBefore);
  }

  private ByteBuf allocate(int bytes) {
    return WatchedBuffers.allocate(hooks, allocator, bytes).writeZero(8);
  }

  private static LeakRecord leaked(int requestedBytes) {
    LeakRecord[] found = new LeakRecord[1];
    GarbageCollection.until(
        () -> {
          int unused = NettyLeakDetector.DETECTOR.tick();
          for (LeakEntry entry : NettyLeakDetector.report(StackDetail.FRAMES).entries()) {
            if (entry.latest().requestedBytes() == requestedBytes) {
              found[0] = entry.latest();
            }
          }
          return found[0] != null;
        });
    return found[0];
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aRetainThroughADerivedBufferIsShownWithItsStack(Way way) {
    ResourceLeakDetector.setLevel(Level.DISABLED);
    int size = 3_001 + 2 * way.ordinal();
    retainAndDrop(way, size);
    assertIsShown(leaked(size));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void itIsShownIfNettysDetectorRecordsTheBufferToo(Way way) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    int size = 4_001 + 2 * way.ordinal();
    retainAndDrop(way, size);
    assertIsShown(leaked(size));
  }

  private void retainAndDrop(Way way, int size) {
    ByteBuf derived = way.derive.apply(allocate(size));
    retainAsGuilty(derived);
    for (int i = 0; i < 20; i++) { // accesses do not displace the record
      int unused = derived.getByte(i % 4);
      derived.touch(i);
    }
  }

  private static void retainAsGuilty(ByteBuf derived) {
    derived.retain();
  }

  private static void assertIsShown(LeakRecord leak) {
    List<LeakAccess> retains =
        leak.counts().stream().filter(count -> count.operation().equals("retain")).toList();
    assertThat(retains)
        .anySatisfy(
            retain ->
                assertThat(retain.stack().frames())
                    .anyMatch(frame -> frame.contains("retainAsGuilty(")));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aDerivedBufferCountsAsWithoutRecording(Way way) {
    for (Level level : new Level[] {Level.DISABLED, Level.PARANOID}) {
      ResourceLeakDetector.setLevel(level);
      ByteBuf buffer = allocate(5_001);
      ByteBuf derived = way.derive.apply(buffer);
      assertThat(derived.retain()).isSameAs(derived);
      assertThat(derived.touch()).isSameAs(derived);
      assertThat(derived.release()).isFalse();
      assertThat(derived.getByte(0)).isZero();
      if (way.isRetained) {
        derived.release();
      }
      assertThat(buffer.refCnt()).isEqualTo(1);
      assertThat(buffer.release()).isTrue();
      assertThatThrownBy(() -> derived.getByte(0))
          .isInstanceOf(IllegalReferenceCountException.class);
    }
  }

  /** At its own level, Netty's detector watches the same buffers as without the agent. */
  @Test
  void nettysDetectorReportsNoSliceOfABufferThatItDoesNotWatch() throws InterruptedException {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    drainReports(); // of other tests
    ResourceLeakDetector.setLevel(Level.DISABLED);
    AtomicInteger reports = new AtomicInteger();
    Handler counter = counter(reports);
    Logger logger = Logger.getLogger(ResourceLeakDetector.class.getName());
    logger.addHandler(counter);
    try {
      for (Way way : Way.values()) {
        ByteBuf unused = way.derive.apply(allocate(6_001));
      }
      ResourceLeakDetector.setLevel(Level.PARANOID);
      drainReports();
    } finally {
      logger.removeHandler(counter);
    }
    assertThat(reports).hasValue(0);
  }

  /** Allocates a watched buffer, so that Netty's detector reports the collected ones. */
  private void drainReports() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      ReferenceQueue<Object> collected = new ReferenceQueue<>();
      WeakReference<Object> last = new WeakReference<>(new Object(), collected);
      System.gc();
      assertThat(collected.remove(10_000)).as("collected").isSameAs(last);
      WatchedBuffers.allocate(hooks, allocator, 64).release();
    }
  }

  private static Handler counter(AtomicInteger reports) {
    return new Handler() {
      @Override
      public void publish(LogRecord entry) {
        if (entry.getMessage().contains("LEAK:")) {
          reports.incrementAndGet();
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
