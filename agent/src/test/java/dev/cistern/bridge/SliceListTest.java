/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.Pins.Cover;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The list of slices. The test adds the slices that instrumented code would add. */
class SliceListTest {
  private static final int BYTES = 1 << 20;

  private final ByteBuf root = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES, BYTES);
  private final SliceList slices = new SliceList();
  private final List<ByteBuf> kept = new ArrayList<>();

  /** Netty's detector wraps one buffer in 128. */
  @BeforeAll
  static void disable() {
    ResourceLeakDetector.setLevel(Level.DISABLED);
  }

  @AfterAll
  static void enable() {
    ResourceLeakDetector.setLevel(Level.SIMPLE);
  }

  @AfterEach
  void release() {
    kept.forEach(ByteBuf::release);
    if (root.refCnt() > 0) {
      root.release();
    }
  }

  private ByteBuf retainedSlice(ByteBuf parent, int length) {
    ByteBuf slice = parent.retainedSlice(0, length);
    slices.addCounted(slice, root, parent, length);
    return slice;
  }

  private ByteBuf keep(ByteBuf slice) {
    kept.add(slice);
    return slice;
  }

  private ByteBuf slice(ByteBuf parent, int length) {
    ByteBuf slice = parent.slice(0, length);
    slices.addUncounted(slice, root, length);
    return slice;
  }

  private @Nullable Cover cover() {
    return slices.cover(root);
  }

  private static void collect(int times) {
    for (int before = ObservedCollections.count();
        ObservedCollections.count() < before + times;
        ObservedCollections.tick()) {
      System.gc();
    }
  }

  @Test
  void slicesAloneKeepTheBufferOnceItsOwnReferenceIsReleased() {
    ByteBuf unused = keep(retainedSlice(root, 64));
    unused = keep(retainedSlice(root, 128));
    assertThat(cover()).isNull();
    root.release();
    assertThat(cover()).isEqualTo(new Cover(192, BYTES, 2, true));
  }

  @Test
  void aReleasedSliceDoesNotCount() {
    ByteBuf unused = keep(retainedSlice(root, 64));
    retainedSlice(root, BYTES / 2).release();
    root.release();
    assertThat(cover()).isEqualTo(new Cover(64, BYTES, 1, true));
  }

  @Test
  void aLargeSliceKeepsTheBufferItself() {
    ByteBuf unused = keep(retainedSlice(root, 64));
    unused = keep(retainedSlice(root, BYTES / 2));
    root.release();
    assertThat(cover()).isNull();
  }

  @Test
  void onlyTheInnerOfTwoNestedSlicesCounts() {
    ByteBuf frame = retainedSlice(root, BYTES);
    ByteBuf unused = keep(retainedSlice(frame, 64));
    root.release();
    assertThat(cover()).isNull();
    frame.release();
    assertThat(cover()).isEqualTo(new Cover(64, BYTES, 1, true));
  }

  @Test
  void aSliceThatSharesTheCountMayKeepTheBufferIfItSurvivesCollections() {
    ByteBuf slice = slice(root, 64);
    assertThat(cover()).isNull();
    collect(2);
    assertThat(cover()).isEqualTo(new Cover(64, BYTES, 1, false));
    assertThat(slice.refCnt()).isEqualTo(1);
  }

  @Test
  void aSliceThatIsGarbageKeepsNothing() {
    assertThat(slice(root, 64).capacity()).isEqualTo(64);
    collect(3);
    assertThat(cover()).isNull();
  }

  @Test
  void asManySlicesAsReferencesMustShareTheCount() {
    ByteBuf slice = slice(root, 64);
    root.retain();
    collect(2);
    assertThat(cover()).isNull();
    root.release();
    assertThat(cover()).isNotNull();
    assertThat(slice.refCnt()).isEqualTo(1);
  }

  @Test
  void aBufferWithTooManySlicesIsNotFollowed() {
    for (int i = 0; i < SliceList.MAX_SLICES; i++) {
      retainedSlice(root, 1).release();
    }
    for (int i = 0; i < SliceList.MAX_SLICES; i++) {
      ByteBuf unused = keep(retainedSlice(root, 1));
    }
    root.release();
    assertThat(cover())
        .isEqualTo(new Cover(SliceList.MAX_SLICES, BYTES, SliceList.MAX_SLICES, true));
    ByteBuf unused = keep(retainedSlice(kept.get(0), 1));
    assertThat(cover()).isNull();
  }
}
