/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.memory.MemorySource;
import dev.cistern.memory.Region;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * A source that a test controls: it refuses the calls that the test selects, assigns each region a
 * place in one address space, and fails if a freed region is still in use by the model.
 */
final class WatchedSource implements MemorySource {
  /** Above every native address; heap regions get addresses from here on. */
  private static final long HEAP_SPACE = 1L << 52;

  private final MemorySource source;
  private final Map<Region, Long> out = new ConcurrentHashMap<>();
  private final AtomicLong nextHeapAddress = new AtomicLong(HEAP_SPACE);
  private final AtomicLong calls = new AtomicLong();
  private volatile LongPredicate refused = call -> false;
  private volatile OwnershipModel model = new OwnershipModel(0);

  WatchedSource(MemorySource source) {
    this.source = source;
  }

  /** The model that checks freed regions. */
  void watch(OwnershipModel model) {
    this.model = model;
  }

  /** Refuses, from now on, each allocation whose number, from 1 on, matches. */
  void refuse(LongPredicate numbers) {
    refused = numbers;
  }

  /** Number of requests for a region. */
  long calls() {
    return calls.get();
  }

  int regions() {
    return out.size();
  }

  /** Returns the start of a region in the address space. */
  long start(Region region) {
    Long start = out.get(region);
    if (start == null) {
      throw new AssertionError("a slot is in a region that was freed");
    }
    return start;
  }

  /** Returns the start of a held slot in the address space. */
  long start(Block block) {
    return start(block.group.region()) + block.group.offset(block.index);
  }

  /** Returns whether this source made the error, and not the JVM. */
  static boolean isRefusal(OutOfMemoryError error) {
    String message = error.getMessage();
    return message != null && message.contains("refused for the test");
  }

  @Override
  public Region allocate(int bytes) {
    long call = calls.incrementAndGet();
    if (refused.test(call)) {
      throw new OutOfMemoryError(
          "refused for the test, call "
              + call
              + " (used: "
              + usedBytes()
              + ", limit: "
              + limitBytes()
              + ", request: "
              + bytes
              + ")");
    }
    Region region = source.allocate(bytes);
    long start = region.array() == null ? region.address() : nextHeapAddress.getAndAdd(2L * bytes);
    out.put(region, start);
    return region;
  }

  @Override
  public void free(Region region) {
    Long start = out.remove(region);
    if (start == null) {
      throw new AssertionError("freed a region that is not out");
    }
    model.freeRegion(start, region.bytes());
    source.free(region);
  }

  @Override
  public long usedBytes() {
    return source.usedBytes();
  }

  @Override
  public long limitBytes() {
    return source.limitBytes();
  }
}
