/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.leak.ChunkPart;
import dev.cistern.leak.ChunkUse;
import dev.cistern.netty.pool.NettyPoolSettings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The use of the chunks of swapped and of observed buffers. */
@ExtendWith(BridgeDefaults.class)
class LeakChunkUseTest {
  private static final int HUGE_BYTES = 64 << 20;

  private final Level levelBefore = ResourceLeakDetector.getLevel();

  @BeforeEach
  void withoutWrappers() {
    ResourceLeakDetector.setLevel(Level.DISABLED);
  }

  @AfterEach
  void stop() {
    Observation.turn(false);
    ResourceLeakDetector.setLevel(levelBefore);
  }

  @Test
  void theChunkOfASwappedBufferIsThatOfThePool() {
    BridgeHook hook = new BridgeHook();
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf buffer = hook.newDirect(allocator, 1_000, 1 << 20);
    ByteBuf huge = hook.newDirect(allocator, HUGE_BYTES, HUGE_BYTES);
    ChunkUse use = ChunkPart.of(buffer);
    assertThat(use).isNotNull();
    assertThat(use.chunkBytes()).isEqualTo(NettyPoolSettings.DEFAULT_CHUNK_BYTES);
    assertThat(use.usedBytes()).isBetween(1_000L, use.chunkBytes());
    assertThat(ChunkPart.of(huge)).isNull();
    buffer.release();
    huge.release();
  }

  @Test
  void theChunkOfAnObservedBufferIsThatOfItsArena() {
    Observation.turn(true);
    BridgeHooks hooks = new BridgeHooks(BridgeDefaults.OPTIONS);
    PooledByteBufAllocator allocator = new PooledByteBufAllocator(true);
    ByteBuf buffer = allocator.directBuffer(1_000);
    ByteBuf huge = allocator.directBuffer(HUGE_BYTES);
    ByteBuf unpooled = UnpooledByteBufAllocator.DEFAULT.directBuffer(1_000);
    ChunkUse use = hooks.chunkUse(buffer);
    assertThat(use).isNotNull();
    assertThat(use.chunkBytes()).isEqualTo(allocator.metric().chunkSize());
    assertThat(use.usedBytes()).isBetween(1_000L, use.chunkBytes() / 10);
    assertThat(hooks.chunkUse(huge)).isNull();
    assertThat(hooks.chunkUse(unpooled)).isNull();
    buffer.release();
    huge.release();
    unpooled.release();
    assertThat(hooks.chunkUse(buffer)).isNull(); // it no longer has a chunk
  }
}
