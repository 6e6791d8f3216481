/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import dev.cistern.leak.Recorded;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * A composite that records what is done to it and to its views. Each operation makes one check of
 * the live capacity, which is where this class records an access.
 */
final class LeakAwareCompositeByteBuf extends CompositeByteBuf {
  private final Recorded recorded;

  /**
   * The thread in an operation of several accesses. Threads that read at the same time may
   * overwrite it, and then some accesses are recorded twice; a thread finds itself here only in its
   * own operation.
   */
  private @Nullable Thread within;

  LeakAwareCompositeByteBuf(
      ByteBufAllocator alloc, boolean direct, int maxNumComponents, Recorded recorded) {
    super(alloc, direct, maxNumComponents);
    this.recorded = recorded;
  }

  /** An operation that may fail. */
  private interface Operation<T, E extends Exception> {
    T run() throws E;
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
  private <T, E extends Exception> T recordOnce(Operation<T, E> operation) throws E {
    recordAccess();
    boolean isOutermost = within != Thread.currentThread();
    within = Thread.currentThread();
    try {
      return operation.run();
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

  // Transfers: several accesses each

  @Override
  public CompositeByteBuf getBytes(int index, OutputStream out, int length) throws IOException {
    return recordOnce(() -> super.getBytes(index, out, length));
  }

  @Override
  public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
    return recordOnce(() -> super.getBytes(index, out, length));
  }

  @Override
  public int getBytes(int index, FileChannel out, long position, int length) throws IOException {
    return recordOnce(() -> super.getBytes(index, out, position, length));
  }

  @Override
  public int setBytes(int index, InputStream in, int length) throws IOException {
    return recordOnce(() -> super.setBytes(index, in, length));
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
    return recordOnce(() -> super.setBytes(index, in, length));
  }

  @Override
  public int setBytes(int index, FileChannel in, long position, int length) throws IOException {
    return recordOnce(() -> super.setBytes(index, in, position, length));
  }

  @Override
  public CompositeByteBuf readBytes(OutputStream out, int length) throws IOException {
    return recordOnce(() -> super.readBytes(out, length));
  }

  @Override
  public int readBytes(GatheringByteChannel out, int length) throws IOException {
    return recordOnce(() -> super.readBytes(out, length));
  }

  @Override
  public int readBytes(FileChannel out, long position, int length) throws IOException {
    return recordOnce(() -> super.readBytes(out, position, length));
  }

  @Override
  public int writeBytes(InputStream in, int length) throws IOException {
    return recordOnce(() -> super.writeBytes(in, length));
  }

  @Override
  public int writeBytes(ScatteringByteChannel in, int length) throws IOException {
    return recordOnce(() -> super.writeBytes(in, length));
  }

  @Override
  public int writeBytes(FileChannel in, long position, int length) throws IOException {
    return recordOnce(() -> super.writeBytes(in, position, length));
  }

  // The count

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
