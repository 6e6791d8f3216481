/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.util.ResourceLeakDetector;
import dev.cistern.util.ResourceLeakDetector.Level;
import java.io.IOException;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which buffers are watched for leaks, and what a report of one contains. */
@Tag("E1")
@Tag("E6")
@Tag("E7")
@LeaksOnPurpose
class LeakTrackingTest {
  private static final PooledByteBufAllocator POOLED =
      new PooledByteBufAllocator(true, 1, 1, 8192, 7);
  private static final PooledByteBufAllocator WITHOUT_ARENAS =
      new PooledByteBufAllocator(true, 0, 0, 8192, 7);
  private static final UnpooledByteBufAllocator UNPOOLED = new UnpooledByteBufAllocator(true);

  /** Kinds of buffers that are watched by default. */
  enum Kind {
    POOLED_DIRECT(capacity -> POOLED.directBuffer(capacity)),
    POOLED_HEAP(capacity -> POOLED.heapBuffer(capacity)),
    NO_ARENA_DIRECT(capacity -> WITHOUT_ARENAS.directBuffer(capacity)),
    NO_ARENA_HEAP(capacity -> WITHOUT_ARENAS.heapBuffer(capacity)),
    UNPOOLED_DIRECT(capacity -> UNPOOLED.directBuffer(capacity)),
    COMPOSITE(
        capacity ->
            POOLED
                .compositeBuffer()
                .addComponent(true, Unpooled.buffer(capacity))
                .capacity(capacity)),
    UNPOOLED_COMPOSITE(capacity -> UNPOOLED.compositeHeapBuffer().capacity(capacity));

    @SuppressWarnings("ImmutableEnumChecker") // makes a buffer, whatever it captures
    private final Function<Integer, ByteBuf> allocation;

    Kind(Function<Integer, ByteBuf> allocation) {
      this.allocation = allocation;
    }

    ByteBuf buffer(int capacity) {
      return allocation.apply(capacity);
    }
  }

  private Level levelBefore;
  private LeakReports reports;

  @BeforeEach
  void listen() {
    levelBefore = ResourceLeakDetector.getLevel();
    reports = new LeakReports();
  }

  @AfterEach
  void restore() {
    ResourceLeakDetector.setLevel(levelBefore);
    reports.close();
  }

  private static void leakThis(Kind kind, String hint) {
    ByteBuf buffer = kind.buffer(64);
    buffer.setIndex(0, 0).writeInt(7);
    buffer.touch(hint);
  }

  @ParameterizedTest
  @EnumSource
  void aBufferLeakedAtParanoidIsReportedWithItsRecords(Kind kind) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    String hint = "hint of " + kind;
    leakThis(kind, hint);
    String report = reports.await(hint);
    assertThat(report).contains("LeakTrackingTest.leakThis").contains("touch").contains("buffer(");
  }

  @ParameterizedTest
  @EnumSource
  void anAccessIsAmongTheRecords(Kind kind) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    leakAfterWrite(kind);
    // A composite also leaks its allocated memory, which has a separate report.
    assertThat(reports.await("leakAfterWrite", "writeInt")).contains("LeakTrackingTest");
  }

  private static void leakAfterWrite(Kind kind) {
    kind.buffer(64).setIndex(0, 0).writeInt(7);
  }

  @ParameterizedTest
  @EnumSource
  void aReleasedBufferIsNotReported(Kind kind) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    useAndRelease(kind);
    assertThat(reports.all()).isEmpty();
  }

  private static void useAndRelease(Kind kind) {
    kind.buffer(64).release();
    ByteBuf buffer = kind.buffer(64).setIndex(0, 64);
    ByteBuf slice = buffer.retainedSlice(1, 8);
    buffer.retain(2).release(3);
    slice.retainedDuplicate().release();
    assertThat(slice.release()).isTrue();
    ByteBuf grown = kind.buffer(64).capacity(5000);
    assertThat(grown.asReadOnly().release()).isTrue();
    Unpooled.wrappedBuffer(kind.buffer(64)).release();
    ByteBuf joined = Unpooled.wrappedBuffer(kind.buffer(64).setIndex(0, 9), Unpooled.copyInt(7));
    assertThat(joined.release()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aViewThatKeepsItsBufferIsReported(Kind kind) {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    String hint = "view of " + kind;
    leakAView(kind, hint);
    assertThat(reports.await(hint)).contains("leakAView");
  }

  private static void leakAView(Kind kind, String hint) {
    ByteBuf buffer = kind.buffer(64).setIndex(0, 64);
    ByteBuf view = buffer.readRetainedSlice(8).retainedDuplicate();
    view.touch(hint);
    buffer.release();
  }

  @Test
  void noBufferIsWatchedIfTheLevelIsDisabled() {
    ResourceLeakDetector.setLevel(Level.DISABLED);
    for (Kind kind : Kind.values()) {
      ByteBuf buffer = kind.buffer(64);
      assertThat(buffer).isNotInstanceOf(LeakAwareByteBuf.class);
      kind.buffer(64);
      buffer.release();
    }
    assertThat(reports.all()).isEmpty();
  }

  @Test
  @Tag("A13")
  void anUnpooledAllocatorCanTurnWatchingOff() {
    ResourceLeakDetector.setLevel(Level.PARANOID);
    UnpooledByteBufAllocator unwatched = new UnpooledByteBufAllocator(true, true);
    for (int i = 0; i < 10; i++) {
      assertThat(unwatched.directBuffer(8)).isExactlyInstanceOf(UnpooledByteBuf.class);
      unwatched.compositeBuffer().touch("unwatched composite");
    }
    assertThat(reports.all()).isEmpty();
    ByteBuf watched = UNPOOLED.directBuffer(8);
    assertThat(watched).isInstanceOf(LeakAwareByteBuf.class);
    watched.release();
    assertThat(UNPOOLED.heapBuffer(8))
        .as("the garbage collector takes all of it")
        .isExactlyInstanceOf(UnpooledByteBuf.class);
  }

  @Test
  void anAllocatorOfOnesOwnDecidesItself() {
    class Mine extends AbstractByteBufAllocator {
      @Override
      protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return toLeakAwareBuffer(new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity));
      }

      @Override
      protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
      }

      @Override
      public boolean isDirectBufferPooled() {
        return false;
      }
    }
    ResourceLeakDetector.setLevel(Level.PARANOID);
    Mine mine = new Mine();
    ByteBuf watched = mine.heapBuffer(8);
    assertThat(watched).isInstanceOf(LeakAwareByteBuf.class);
    assertThat(watched.release()).isTrue();
    ByteBuf unwatched = mine.directBuffer(8);
    assertThat(unwatched).isExactlyInstanceOf(UnpooledDirectByteBuf.class);
    unwatched.release();
  }

  @Test
  void aCompositeOfOnesOwnIsWatched() {
    class Mine extends AbstractByteBufAllocator {
      @Override
      protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
      }

      @Override
      protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity);
      }

      @Override
      public CompositeByteBuf compositeHeapBuffer(int maxNumComponents) {
        return toLeakAwareBuffer(new CompositeByteBuf(this, false, maxNumComponents));
      }

      void leakMine() {
        compositeHeapBuffer();
      }

      @Override
      public boolean isDirectBufferPooled() {
        return false;
      }
    }
    ResourceLeakDetector.setLevel(Level.PARANOID);
    Mine mine = new Mine();
    mine.compositeBuffer().addComponent(true, Unpooled.copyInt(7)).release();
    assertThat(reports.all()).isEmpty();
    mine.leakMine();
    reports.await("leakMine");
  }

  /** Runs in a separate JVM, because this JVM does not have the defaults. */
  @Test
  void atTheDefaultsAPoolWatchesASampleByBytes() throws IOException, InterruptedException {
    String output = OwnJvm.of(LeakedAtDefaults.class).with("-Xmx128m").run();
    assertThat(output.lines()).contains("as expected");
  }
}
