/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.finding;

import dev.cistern.exporter.report.Finding;
import dev.cistern.exporter.report.Finding.Confidence;
import dev.cistern.exporter.report.Finding.Kind;
import dev.cistern.exporter.report.Finding.Level;
import dev.cistern.exporter.report.PoolReport;
import dev.cistern.exporter.report.TextFormat;
import dev.cistern.stats.AllocatorInfo;
import dev.cistern.stats.NettyAllocatorReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rule for many allocators that could be a single one.
 *
 * <p>Reason: each pooled or adaptive allocator has its own arenas and caches, so that each keeps
 * free memory that no other allocator can use.
 */
final class DuplicatesRule implements Rule {
  private static final int MIN_ALLOCATORS = 6;
  private static final long LARGE_BYTES = 64L << 20;

  /** Minimum of kept bytes. Allocators that together keep less cost almost nothing. */
  private static final long MIN_BYTES = 8L << 20;

  @Override
  public List<Finding> find(Facts facts) {
    List<Finding> found = new ArrayList<>();
    for (PoolReport copy : facts.report().copies()) {
      List<AllocatorInfo> pools =
          copy.netty().inventory().stream().filter(DuplicatesRule::isPool).toList();
      if (pools.size() >= MIN_ALLOCATORS) {
        found.add(finding(copy, pools));
      }
    }
    return found;
  }

  private static boolean isPool(AllocatorInfo allocator) {
    String type = allocator.type();
    boolean isPool = type.contains("Pooled") || type.contains("Adaptive");
    return isPool
        && !type.contains("Unpooled")
        && !allocator.createdBy().equals(AllocatorInfo.NETTY);
  }

  /** Returns whether an allocator has a number, with which its name ends. */
  private static boolean isOneOf(List<AllocatorInfo> pools, int number) {
    return pools.stream().anyMatch(pool -> pool.name().endsWith("-" + number));
  }

  private static Finding finding(PoolReport copy, List<AllocatorInfo> pools) {
    Map<Integer, Long> bytes = new HashMap<>(); // of both kinds of memory of an allocator
    for (NettyAllocatorReport each : copy.netty().allocators()) {
      if (each.isAlive() && isOneOf(pools, each.number())) {
        bytes.merge(each.number(), each.reservedBytes(), Long::sum);
      }
    }
    long reserved = bytes.values().stream().mapToLong(Long::longValue).sum();
    long largest = bytes.values().stream().mapToLong(Long::longValue).max().orElse(0);
    Map<String, Integer> creators = new HashMap<>();
    pools.forEach(each -> creators.merge(each.createdBy(), 1, Integer::sum));
    Map.Entry<String, Integer> most =
        creators.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    boolean isServed = copy.mode().equals("swap");
    boolean isKnown = !most.getKey().equals(AllocatorInfo.UNKNOWN);
    List<String> evidence = new ArrayList<>();
    evidence.add(
        most.getValue()
            + " of them were created "
            + (isKnown ? "by " + most.getKey() : "before the agent saw constructors"));
    evidence.add(
        isServed
            ? "Cistern's pool serves them together, so that they cost little in the mode swap"
            : TextFormat.bytes(reserved)
                + " are reserved by them, "
                + TextFormat.bytes(largest)
                + " by the largest");
    return new Finding(
        Kind.DUPLICATE_ALLOCATORS,
        reserved - largest >= LARGE_BYTES ? Level.WARNING : Level.NOTICE,
        reserved - largest >= MIN_BYTES ? Confidence.HIGH : Confidence.LOW,
        reserved - largest,
        0,
        copy.pool()
            + " has "
            + (copy.netty().dropped() > 0 ? "at least " : "")
            + pools.size()
            + " allocators with pools of their own",
        evidence,
        "share one allocator between servers and clients, such as ByteBufAllocator.DEFAULT",
        isKnown ? most.getKey() : "");
  }
}
