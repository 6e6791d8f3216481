/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import dev.cistern.leak.ChunkUse;
import dev.cistern.leak.Holder;
import dev.cistern.leak.LeakTracker;
import dev.cistern.memory.MemoryKind;
import dev.cistern.memory.MemorySource;
import io.netty.buffer.AbstractByteBuf;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakHint;
import org.jspecify.annotations.Nullable;

/**
 * Extension points of the pools. The methods of this class do nothing. The agent overrides most of
 * them, because it has classes in Netty's own package.
 */
public class PoolHooks {
  /** Creates the hooks of an application without the agent. */
  public PoolHooks() {}

  /** Called when a buffer object changes its allocator, before the caller gets the buffer. */
  public void allocatorUsed(AbstractByteBufAllocator allocator) {}

  /** Returns whether an allocator belongs to a self-test, whose buffers skip the quarantine. */
  public boolean isTest(ByteBufAllocator allocator) {
    return false;
  }

  /** Returns the buffer, or Netty's leak-aware wrapper of it if Netty's detector selects it. */
  public ByteBuf leakAware(ByteBuf buffer) {
    return NettyWrapper.wrap(buffer);
  }

  /**
   * Returns a wrapper that reports each use of a buffer to its tracker, or {@code seen} if there is
   * none or the tracker records no use.
   *
   * @param seen the result of {@link #leakAware}
   */
  public ByteBuf recorded(
      CisternByteBuf buffer, ByteBuf seen, LeakTracker<CisternByteBuf> tracker) {
    return seen;
  }

  /**
   * Returns a retained slice with its own reference count, or null if slices of the buffer's
   * allocator share the count.
   */
  public @Nullable ByteBuf retainedSlice(AbstractByteBuf buffer, int index, int length) {
    return null;
  }

  /**
   * Returns a retained duplicate with its own reference count, or null if duplicates of the
   * buffer's allocator share the count.
   */
  public @Nullable ByteBuf retainedDuplicate(AbstractByteBuf buffer) {
    return null;
  }

  /** Called after a fault of the engine has ended a move. */
  public void moveFailed(Throwable fault) {}

  /**
   * Returns whether the caller continues in other memory if this pool is refused memory. Then the
   * pool makes no request for some time after a slow refusal ({@link AllocationBackoff}).
   * Otherwise, each allocation that needs memory requests it.
   */
  public boolean hasFallback() {
    return false;
  }

  /** Called before an allocation of direct memory fails. Must not throw. */
  public void directMemoryExhausted() {}

  /** Returns the holder that the hint of a {@code touch} names. */
  public Holder holder(Object hint) {
    return hint instanceof ResourceLeakHint named
        ? Holder.ofText(named.toHintString())
        : Holder.ofHint(hint);
  }

  /** Called when the leak detector begins to watch a buffer. */
  public void watchBegins() {}

  /**
   * Returns the use of the chunk of Netty's own that contains a watched buffer; null if there is
   * none. A report calls it on its own thread, while another thread may release the buffer.
   */
  public @Nullable ChunkUse chunkUse(Object buffer) {
    return null;
  }

  // ---- events of the flight recorder

  /** Returns whether this copy of Netty writes events. Called once. */
  public boolean hasEvents() {
    return false;
  }

  /** Returns whether a recording enables events of allocations. */
  public boolean recordsAllocations() {
    return false;
  }

  /** Returns whether a recording enables events of releases. */
  public boolean recordsReleases() {
    return false;
  }

  /** Records the allocation of a buffer. */
  public void bufferAllocated(CisternByteBuf buffer, long address, boolean fromOwnCache) {}

  /** Records that a buffer is about to move. */
  public void bufferMoves(CisternByteBuf buffer, long address, int newCapacity) {}

  /** Records the release of a buffer. */
  public void bufferReleased(CisternByteBuf buffer, long address) {}

  /** Returns the source, or a source that also records each region. */
  public MemorySource recorded(MemorySource source, MemoryKind kind) {
    return source;
  }

  /** Access to Netty's wrapper, which Netty permits only to allocators. */
  private abstract static class NettyWrapper extends AbstractByteBufAllocator {
    static ByteBuf wrap(ByteBuf buffer) {
      return toLeakAwareBuffer(buffer);
    }
  }
}
