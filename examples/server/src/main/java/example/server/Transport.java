/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.io.OutboundSettings;
import dev.cistern.io.ReceiveSizePolicy;

/**
 * The settings that all connections share.
 *
 * @param allocator allocator of the buffers
 * @param outbound limits of the bytes that wait for a client
 * @param receive sizes of the receive buffers
 */
record Transport(ByteBufAllocator allocator, OutboundSettings outbound, ReceiveSizePolicy receive) {
  /** Returns a transport with all defaults. */
  static Transport pooled() {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    return new Transport(allocator, OutboundSettings.of(allocator), ReceiveSizePolicy.adaptive());
  }
}
