/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.pool.PoolSettings;
import java.util.Objects;

/**
 * What all connections of a kind have in common. One object serves any number of {@link
 * OutboundBuffer}s.
 *
 * @param allocator of the direct buffers that heap content is copied to
 * @param waterMarks when a buffer is not writable
 * @param maxBuffersPerWrite NIO buffers that one gathering write offers at most, 1 to 1024, which
 *     is what the systems take
 * @param maxBytesPerWrite bytes that one gathering write offers at most, 1 or more
 * @param maxWrites gathering writes of one {@link OutboundBuffer#writeTo}, 1 or more; then the
 *     event loop serves another connection
 */
public record OutboundSettings(
    ByteBufAllocator allocator,
    WaterMarks waterMarks,
    int maxBuffersPerWrite,
    long maxBytesPerWrite,
    int maxWrites) {
  /** {@code IOV_MAX} of Linux and macOS. */
  private static final int MAX_BUFFERS = 1024;

  private static final long DEFAULT_BYTES = 1 << 20;
  private static final int DEFAULT_WRITES = 16;

  /**
   * @throws IllegalArgumentException if a limit is out of its range
   */
  public OutboundSettings {
    Objects.requireNonNull(allocator, "allocator");
    Objects.requireNonNull(waterMarks, "waterMarks");
    PoolSettings.requireRange("maxBuffersPerWrite", maxBuffersPerWrite, 1, MAX_BUFFERS);
    ReceiveSizePolicy.requirePositive(maxBytesPerWrite, "maxBytesPerWrite");
    ReceiveSizePolicy.requirePositive(maxWrites, "maxWrites");
  }

  /** With {@link WaterMarks#DEFAULT}, 1024 buffers, 1 MiB, 16 writes. */
  public static OutboundSettings of(ByteBufAllocator allocator) {
    return new OutboundSettings(
        allocator, WaterMarks.DEFAULT, MAX_BUFFERS, DEFAULT_BYTES, DEFAULT_WRITES);
  }

  /** These with other water marks. */
  public OutboundSettings withWaterMarks(WaterMarks other) {
    return new OutboundSettings(allocator, other, maxBuffersPerWrite, maxBytesPerWrite, maxWrites);
  }

  /** These with another {@link #maxBuffersPerWrite}. */
  public OutboundSettings withMaxBuffersPerWrite(int other) {
    return new OutboundSettings(allocator, waterMarks, other, maxBytesPerWrite, maxWrites);
  }

  /** These with another {@link #maxBytesPerWrite}. */
  public OutboundSettings withMaxBytesPerWrite(long other) {
    return new OutboundSettings(allocator, waterMarks, maxBuffersPerWrite, other, maxWrites);
  }

  /** These with another {@link #maxWrites}. */
  public OutboundSettings withMaxWrites(int other) {
    return new OutboundSettings(allocator, waterMarks, maxBuffersPerWrite, maxBytesPerWrite, other);
  }
}
