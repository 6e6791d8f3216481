/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.RecordingLevel;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A composite that records accesses to it and to its views. Each operation checks the live capacity
 * once, and this class records an access there. A method of {@link ByteBufUtil} or of a view that
 * checks several times records several accesses.
 */
final class LeakAwareCompositeByteBuf extends CompositeByteBuf {
  private final RecordingLevel recorded;

  /**
   * The thread that runs an operation of several accesses. Threads that read at the same time may
   * overwrite it, and then some accesses are recorded twice; a thread finds itself here only in its
   * own operation.
   */
  private @Nullable Thread within;

  LeakAwareCompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, RecordingLevel recorded) {
    super(alloc, direct, maxNumComponents);
    this.recorded = recorded;
  }

  private void recordCount() {
    if (tracker != null) {
      recorded.count(tracker);
    }
  }

  private void recordAccess() {
    if (tracker != null && within != Thread.currentThread()) {
      recorded.access(tracker);
    }
  }

  /** Records one access for an operation of several accesses. */
  private <T> T recordOnce(Supplier<T> operation) {
    recordAccess();
    boolean isOutermost = within != Thread.currentThread();
    within = Thread.currentThread();
    try {
      return operation.get();
    } finally {
      if (isOutermost) {
        within = null;
      }
    }
  }

  @Override
  int liveCapacity() {
    recordAccess();
    return super.liveCapacity();
  }

  @Override
  int writableAgain() {
    return super.liveCapacity();
  }

  @Override
  void checkAgain(int index, int length, boolean writes) {
    if (index > super.liveCapacity() - length) {
      super.checkAgain(index, length, writes);
    }
  }

  @Override
  @Deprecated
  public ByteBuf order(ByteOrder endianness) {
    recordAccess();
    return super.order(endianness);
  }

  @Override
  public int nioBufferCount() {
    recordAccess();
    return super.nioBufferCount();
  }

  @Override
  public int writeCharSequence(CharSequence sequence, Charset charset) {
    return recordOnce(() -> super.writeCharSequence(sequence, charset));
  }

  @Override
  public int hashCode() {
    return recordOnce(super::hashCode);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return recordOnce(() -> super.equals(other));
  }

  @Override
  public int compareTo(ByteBuf buffer) {
    return recordOnce(() -> super.compareTo(buffer));
  }

  // Reference count

  @Override
  ByteBuf retained(ByteBuf view) {
    super.retain();
    return view;
  }

  @Override
  public CompositeByteBuf retain() {
    recordCount();
    return super.retain();
  }

  @Override
  public CompositeByteBuf retain(int increment) {
    recordCount();
    return super.retain(increment);
  }

  @Override
  public CompositeByteBuf touch(@Nullable Object hint) {
    if (tracker != null) {
      recorded.touch(tracker, hint);
    }
    return this;
  }

  @Override
  public boolean release() {
    recordCount();
    return super.release();
  }

  @Override
  public boolean release(int decrement) {
    recordCount();
    return super.release(decrement);
  }
}
