/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.memory.MemoryAccess;
import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import dev.cistern.memory.RestingMemory;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Native memory drawn so that Netty's and the JVM's counters and limits of direct memory hold for
 * theirs and ours together ({@link NativeDraw}).
 *
 * <p>What is given up rests before it is freed, and counts until then. Netty cannot ask for it back
 * when it is refused memory itself, so it rests only while a quarter of the limit is free.
 */
class HostDirectMemory implements MemorySource {
  static final HostDirectMemory INSTANCE = new HostDirectMemory();

  private static final int LEAST_FREE_SHIFT = 2;

  /** One part in eight of the limit may rest. */
  private static final int MOST_RESTING_SHIFT = 3;

  private final AtomicLong usedBytes = new AtomicLong();

  /** How often memory was given back to the host. */
  private final AtomicLong freed = new AtomicLong();

  private final Refusals refusals = new Refusals();

  private final RestingMemory resting = RestingMemory.shared();
  private final RestingMemory.Unmapper unmapper = this::unmap;
  private final IntFunction<Object> handles = this::handle;
  private final NativeDraw draw = NativeDraw.ofHost();

  @Override
  public Region allocate(int bytes) {
    Object handle = request(bytes);
    usedBytes.addAndGet(bytes);
    try {
      ByteBuffer view = draw.view(handle).slice(0, bytes);
      return new Region(null, MemoryAccess.address(view), view, bytes, handle);
    } catch (RuntimeException | Error failed) {
      giveBack(bytes, handle, failed);
      throw failed;
    }
  }

  private Object request(int bytes) {
    if (refusals.covers(bytes, freed.get(), nanoTime())) {
      resting.freeAll();
    }
    long freedBefore = freed.get();
    long start = nanoTime();
    if (refusals.covers(bytes, freedBefore, start)) {
      throw refusals.error(bytes, usedBytes(), limitBytes());
    }
    try {
      return resting.request(handles, bytes);
    } catch (OutOfMemoryError refused) {
      refusals.add(bytes, freedBefore, start, nanoTime());
      throw refused;
    }
  }

  /** The clock. */
  long nanoTime() {
    return System.nanoTime();
  }

  private void giveBack(int bytes, Object handle, Throwable failed) {
    try {
      unmap(0, bytes, handle);
    } catch (RuntimeException | Error lost) {
      failed.addSuppressed(lost);
    }
  }

  /** Draws memory: what frees it. */
  Object handle(int bytes) {
    return draw.draw(bytes);
  }

  @Override
  public void free(Region region) {
    long limit = limitBytes();
    if (limit - usedBytes() < limit >> LEAST_FREE_SHIFT
        || resting.restingBytes() + region.bytes() > limit >> MOST_RESTING_SHIFT) {
      unmap(region.address(), region.bytes(), region.handle());
    } else {
      resting.rest(region.address(), region.bytes(), region.handle(), unmapper);
    }
  }

  /** Frees the oldest of what rests; returns whether a further request may be served. */
  boolean freeOldest() {
    return resting.freeOldest();
  }

  private void unmap(long address, long bytes, @Nullable Object handle) {
    try {
      if (handle != null) {
        draw.giveBack(handle);
      }
    } finally {
      usedBytes.addAndGet(-bytes);
      freed.incrementAndGet();
    }
  }

  /** As Netty counts, its own chunks included; only ours where Netty does not count. */
  @Override
  public long usedBytes() {
    long counted = PlatformDependent.usedDirectMemory();
    return counted >= 0 ? counted : usedBytes.get();
  }

  @Override
  public long limitBytes() {
    return PlatformDependent.maxDirectMemory();
  }
}
