/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBufAllocator;
import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.io.OutboundSettings;
import dev.cistern.io.ReceiveSizePolicy;

/**
 * What all connections share.
 *
 * @param allocator where buffers come from
 * @param outbound when a client has too much waiting for it
 * @param receive how large the buffers to read into are
 */
record Transport(ByteBufAllocator allocator, OutboundSettings outbound, ReceiveSizePolicy receive) {
  /** All by default. */
  static Transport pooled() {
    PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    return new Transport(allocator, OutboundSettings.of(allocator), ReceiveSizePolicy.adaptive());
  }
}
