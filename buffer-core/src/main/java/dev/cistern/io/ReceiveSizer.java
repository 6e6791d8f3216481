/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufAllocator;

/**
 * What one connection knows of its reads. A read loop is
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

  /** Looks at so many loops before it makes the guess smaller. */
  private static final int LOOPS_TO_SHRINK = 8;

  private final ReceiveSizing sizing;
  private int guess;
  private int loops;
  private int largest;
  private int messages;
  private int loopBytes;
  private boolean mayBeMore;

  ReceiveSizer(ReceiveSizing sizing) {
    this.sizing = sizing;
    this.guess = sizing.initial();
  }

  /** Begins a read loop: its messages and bytes are counted anew. */
  public void begin() {
    messages = 0;
    loopBytes = 0;
    mayBeMore = true;
  }

  /** Bytes that the next read should have room for, at least 1; within all limits. */
  public int guess() {
    int left = sizing.maxBytes() - loopBytes;
    return Math.max(1, Math.min(Math.min(guess, sizing.maxBytesOfOne()), left));
  }

  /** An empty buffer, direct where it can be, with a capacity of the {@link #guess}. */
  public ByteBuf allocate(ByteBufAllocator allocator) {
    return allocator.ioBuffer(guess());
  }

  /**
   * Notes a read of bytes, which is one message.
   *
   * @param attemptedBytes room that there was
   * @param readBytes what came; 0 or less for nothing, which is no message
   */
  public void record(int attemptedBytes, int readBytes) {
    mayBeMore = readBytes > 0 && readBytes >= attemptedBytes;
    if (readBytes <= 0) {
      return;
    }
    messages++;
    loopBytes = (int) Math.min(Integer.MAX_VALUE, (long) loopBytes + readBytes);
    if (mayBeMore && attemptedBytes >= guess && guess < sizing.max()) {
      guess = ReceiveSizing.roundedUp((int) Math.min(sizing.max(), (long) GROWTH * guess));
      startOver();
    }
  }

  /** Notes a message of no bytes: a connection that was accepted, an empty datagram. */
  public void recordMessage() {
    messages++;
    mayBeMore = true;
  }

  /**
   * Whether to read on: the last read filled its buffer, so that there may be more, and no limit of
   * the loop is reached. Reading less than there was room for empties a socket; who knows better
   * goes on in spite of it, within {@link #isWithinLimits}.
   */
  public boolean continueReading() {
    return mayBeMore && isWithinLimits();
  }

  /** Whether the loop may go on as far as messages and bytes are concerned. */
  public boolean isWithinLimits() {
    return messages < sizing.maxMessages() && loopBytes < sizing.maxBytes();
  }

  /** Messages of this loop. */
  public int messages() {
    return messages;
  }

  /** Bytes of this loop, at most {@link Integer#MAX_VALUE}. */
  public int bytes() {
    return loopBytes;
  }

  /** Ends a read loop: the guess may become smaller. */
  public void complete() {
    largest = Math.max(largest, loopBytes);
    if (loopBytes == 0 || ++loops < LOOPS_TO_SHRINK) {
      return;
    }
    if (largest < guess && guess > sizing.min()) {
      // one byte more: what fits exactly would look as if there were more
      guess = Math.max(sizing.min(), Math.min(guess, ReceiveSizing.roundedUp(largest + 1)));
    }
    startOver();
  }

  private void startOver() {
    loops = 0;
    largest = 0;
  }
}
