/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.RecordingLevel;
import dev.cistern.util.ResourceLeakTracker;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that wrappers call the sizes and counts that a subclass of a buffer overrides. */
class WrapperOfSubclassTest {
  /** A buffer that counts calls, and returns sizes that its indices do not determine. */
  private static final class Subclass extends UnpooledHeapByteBuf {
    private int retains;
    private int releases;

    Subclass() {
      super(UnpooledByteBufAllocator.DEFAULT, 16, 16);
    }

    @Override
    public ByteBuf retain() {
      retains++;
      return super.retain();
    }

    @Override
    public boolean release() {
      releases++;
      return super.release();
    }

    @Override
    public int readableBytes() {
      return 1_000;
    }

    @Override
    public boolean isReadable() {
      return true;
    }

    @Override
    public int writableBytes() {
      return 0;
    }

    @Override
    public int maxWritableBytes() {
      return 2_000;
    }

    @Override
    public boolean isWritable() {
      return false;
    }
  }

  /** A tracker that records nothing. */
  private static final class Tracker implements ResourceLeakTracker<ByteBuf> {
    private int closed;

    @Override
    public void record() {}

    @Override
    public void record(@Nullable Object hint) {}

    @Override
    public boolean close(ByteBuf trackedObject) {
      closed++;
      return true;
    }
  }

  private final Subclass buffer = new Subclass();

  private static void assertSizesOfSubclass(ByteBuf wrapper) {
    assertThat(wrapper.readableBytes()).isEqualTo(1_000);
    assertThat(wrapper.isReadable()).isTrue();
    assertThat(wrapper.writableBytes()).isZero();
    assertThat(wrapper.maxWritableBytes()).isEqualTo(2_000);
    assertThat(wrapper.isWritable()).isFalse();
  }

  private void assertCountsOfSubclass(ByteBuf wrapper) {
    assertThat(wrapper.retain()).isSameAs(wrapper);
    assertThat(buffer.retains).isEqualTo(1);
    assertThat(wrapper.release()).isFalse();
    assertThat(wrapper.release()).isTrue();
    assertThat(buffer.releases).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("deprecation") // order() is deprecated
  void aSwappedOne() {
    ByteBuf wrapper = buffer.order(ByteOrder.LITTLE_ENDIAN);
    assertSizesOfSubclass(wrapper);
    assertCountsOfSubclass(wrapper);
  }

  @Test
  void aLeakAwareOne() {
    Tracker tracker = new Tracker();
    ByteBuf wrapper = new LeakAwareByteBuf(buffer, buffer, tracker, RecordingLevel.ALL);
    assertSizesOfSubclass(wrapper);
    assertCountsOfSubclass(wrapper);
    assertThat(tracker.closed).isEqualTo(1);
  }

  @Test
  void anUnreleasableOne() {
    ByteBuf wrapper = Unpooled.unreleasableBuffer(buffer);
    assertSizesOfSubclass(wrapper);
    assertThat(wrapper.retain()).isSameAs(wrapper);
    assertThat(wrapper.release()).isFalse();
    assertThat(buffer.retains + buffer.releases).isZero();
    buffer.release();
  }
}
