/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.Part;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.stats.NettyAllocatorReport;
import dev.cistern.stats.PoolSnapshot;
import java.util.List;

/**
 * Rule for threads whose stacks and caches hold memory.
 *
 * <p>Reason: each thread that has used a pool keeps a cache, and each thread has a stack, even if
 * it is idle. Large caches of a few threads are another case: the caches of a pool count only if
 * this many threads have one.
 */
final class ThreadsRule implements Rule {
  private static final int MIN_THREADS = 250;
  private static final long LARGE_BYTES = 48L << 20;
  private static final double LARGE_PART = 0.1;

  @Override
  public List<Finding> find(Facts facts) {
    int threads = facts.beans().threads();
    if (threads < MIN_THREADS) {
      return List.of();
    }
    long caches = 0;
    long cached = 0;
    for (PoolReport copy : facts.report().copies()) {
      for (PoolSnapshot pool : copy.pools()) {
        caches = Math.max(caches, pool.threadCaches());
        cached += pool.threadCaches() >= MIN_THREADS ? pool.cachedBytes() : 0;
      }
      for (NettyAllocatorReport each : copy.netty().allocators()) {
        caches = Math.max(caches, each.allThreadCaches());
        boolean isCounted = each.isPooled() && each.allThreadCaches() >= MIN_THREADS;
        cached += isCounted ? each.cachedBytes() : 0;
      }
    }
    long stacks = facts.memory().bytes(Part.THREAD_STACKS);
    boolean isLargePart =
        facts.memory().residentBytes() > 0 && facts.isPartOfResident(stacks + cached, LARGE_PART);
    boolean isLarge = stacks + cached >= LARGE_BYTES;
    Confidence large = isLarge ? Confidence.HIGH : Confidence.MEDIUM;
    return List.of(
        new Finding(
            Kind.MANY_THREADS,
            isLargePart && isLarge ? Level.WARNING : Level.NOTICE,
            isLargePart ? large : Confidence.LOW,
            stacks + cached,
            0,
            TextFormat.count(threads, "thread")
                + " hold "
                + TextFormat.bytes(stacks + cached)
                + " in stacks and thread caches",
            List.of(
                TextFormat.bytes(stacks) + " of stacks are resident",
                TextFormat.count(caches, "thread cache")
                    + " with "
                    + TextFormat.bytes(cached)
                    + " of unused slots"),
            "limit the size of thread pools, and let idle threads end",
            ""));
  }
}
