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
  /** The factor by which the size grows after a read that fills its buffer. */
  private static final int GROWTH = 4;

  /** The number of loops after which the size can shrink. */
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

  /** Begins a read loop: resets the counts of its messages and bytes. */
  public void begin() {
    messages = 0;
    loopBytes = 0;
    mayBeMore = true;
  }

  /** Returns the size of the next read: 1 byte or more, within all limits. */
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
   * @param attemptedBytes room for the read, in bytes
   * @param readBytes bytes that were read; 0 or less for none, which does not count as a message
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

  /** Records a message without bytes, such as an accepted connection or an empty datagram. */
  public void recordMessage() {
    messages++;
    mayBeMore = true;
  }

  /**
   * Returns whether to read again: the last read filled its buffer, so that there may be more
   * bytes, and the loop is within its limits. A read that does not fill its buffer empties a
   * socket; a caller that knows of more bytes checks {@link #isWithinLimits} instead.
   */
  public boolean continueReading() {
    return mayBeMore && isWithinLimits();
  }

  /** Returns whether the loop is within its limits of messages and bytes. */
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
      // one more byte, because a read that fills its buffer indicates more bytes
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
