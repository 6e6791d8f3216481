/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.pool.PoolSettings;
import java.util.Objects;

/**
 * The settings of all connections of a kind. One object serves any number of {@link
 * OutboundBuffer}s.
 *
 * @param allocator the allocator of the direct buffers to which heap content is copied
 * @param waterMarks the limits that determine whether a buffer is writable
 * @param maxBuffersPerWrite maximum number of NIO buffers of one gathering write, 1 to 1024, the
 *     limit of the operating systems
 * @param maxBytesPerWrite maximum bytes of one gathering write, 1 or more
 * @param maxWrites maximum number of gathering writes of one {@link OutboundBuffer#writeTo}, 1 or
 *     more; then the event loop serves another connection
 */
public record OutboundSettings(
    ByteBufAllocator allocator,
    WaterMarks waterMarks,
    int maxBuffersPerWrite,
    long maxBytesPerWrite,
    int maxWrites) {
  /** The {@code IOV_MAX} of Linux and macOS. */
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

  /** Returns settings with {@link WaterMarks#DEFAULT}, 1024 buffers, 1 MiB and 16 writes. */
  public static OutboundSettings of(ByteBufAllocator allocator) {
    return new OutboundSettings(
        allocator, WaterMarks.DEFAULT, MAX_BUFFERS, DEFAULT_BYTES, DEFAULT_WRITES);
  }

  /** Returns these settings with other water marks. */
  public OutboundSettings withWaterMarks(WaterMarks other) {
    return new OutboundSettings(allocator, other, maxBuffersPerWrite, maxBytesPerWrite, maxWrites);
  }

  /** Returns these settings with another {@link #maxBuffersPerWrite}. */
  public OutboundSettings withMaxBuffersPerWrite(int other) {
    return new OutboundSettings(allocator, waterMarks, other, maxBytesPerWrite, maxWrites);
  }

  /** Returns these settings with another {@link #maxBytesPerWrite}. */
  public OutboundSettings withMaxBytesPerWrite(long other) {
    return new OutboundSettings(allocator, waterMarks, maxBuffersPerWrite, other, maxWrites);
  }

  /** Returns these settings with another {@link #maxWrites}. */
  public OutboundSettings withMaxWrites(int other) {
    return new OutboundSettings(allocator, waterMarks, maxBuffersPerWrite, maxBytesPerWrite, other);
  }
}
