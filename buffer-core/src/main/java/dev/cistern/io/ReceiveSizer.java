/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;

/**
 * The state of one connection's reads. A read loop is
 *
 * <pre>{@code
 * sizer.begin();
 * do {
 *   ByteBuf buffer = sizer.allocate(allocator);
 *   int attempted = buffer.writableBytes();
 *   int read = buffer.writeBytes(channel, attempted); // below 0: the end
 *   sizer.record(attempted, read);
 *   ...
 * } while (sizer.continueReading());
 * sizer.complete();
 * }</pre>
 *
 * One thread uses it.
 */
public final class ReceiveSizer {
  /** A read that fills its buffer makes the next one so many times as large. */
  private static final int GROWTH = 4;

  /** The size is reduced only after so many loops. */
  private static final int LOOPS_TO_SHRINK = 8;

  private final ReceiveSizePolicy policy;
  private int size;
  private int loops;
  private int largestLoopBytes;
  private int messages;
  private int loopBytes;
  private boolean mayBeMore;

  ReceiveSizer(ReceiveSizePolicy policy) {
    this.policy = policy;
    this.size = policy.initialBytes();
  }

  /** Begins a read loop: its messages and bytes are counted from 0. */
  public void begin() {
    messages = 0;
    loopBytes = 0;
    mayBeMore = true;
  }

  /**
   * Returns the number of bytes that the next read should have room for: 1 or more, within all
   * limits.
   */
  public int nextSize() {
    int left = policy.maxBytesPerRead() - loopBytes;
    return Math.max(1, Math.min(Math.min(size, policy.maxBytesPerIndividualRead()), left));
  }

  /** Allocates an empty buffer of the {@link #nextSize}, direct if the allocator can. */
  public ByteBuf allocate(ByteBufAllocator allocator) {
    return allocator.ioBuffer(nextSize());
  }

  /**
   * Records a read of bytes, which is one message.
   *
   * @param attemptedBytes bytes that the read had room for
   * @param readBytes bytes that were read; 0 or less if there were none, which is no message
   */
  public void record(int attemptedBytes, int readBytes) {
    mayBeMore = readBytes > 0 && readBytes >= attemptedBytes;
    if (readBytes <= 0) {
      return;
    }
    messages++;
    loopBytes = (int) Math.min(Integer.MAX_VALUE, (long) loopBytes + readBytes);
    if (mayBeMore && attemptedBytes >= size && size < policy.maxBytes()) {
      size = ReceiveSizePolicy.roundedUp((int) Math.min(policy.maxBytes(), (long) GROWTH * size));
      startOver();
    }
  }

  /** Records a message of no bytes: an accepted connection, an empty datagram. */
  public void recordMessage() {
    messages++;
    mayBeMore = true;
  }

  /**
   * Returns whether to read again: the last read filled its buffer, so that there may be more, and
   * no limit of the loop is reached. A read that does not fill its buffer empties a socket; a
   * caller that knows of more bytes checks {@link #isWithinLimits} instead.
   */
  public boolean continueReading() {
    return mayBeMore && isWithinLimits();
  }

  /** Returns whether the limits of messages and bytes let the loop continue. */
  public boolean isWithinLimits() {
    return messages < policy.maxMessagesPerRead() && loopBytes < policy.maxBytesPerRead();
  }

  /** Returns the number of messages of this loop. */
  public int messages() {
    return messages;
  }

  /** Returns the number of bytes of this loop, up to {@link Integer#MAX_VALUE}. */
  public int bytes() {
    return loopBytes;
  }

  /** Ends a read loop, after which the size may become smaller. */
  public void complete() {
    largestLoopBytes = Math.max(largestLoopBytes, loopBytes);
    if (loopBytes == 0 || ++loops < LOOPS_TO_SHRINK) {
      return;
    }
    if (largestLoopBytes < size && size > policy.minBytes()) {
      // one byte more: a read that just fits would look as if there were more
      int needed = ReceiveSizePolicy.roundedUp(largestLoopBytes + 1);
      size = Math.max(policy.minBytes(), Math.min(size, needed));
    }
    startOver();
  }

  private void startOver() {
    loops = 0;
    largestLoopBytes = 0;
  }
}
