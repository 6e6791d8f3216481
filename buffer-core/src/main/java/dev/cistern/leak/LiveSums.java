/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import dev.cistern.leak.report.Age;
import dev.cistern.leak.report.CallStack;
import dev.cistern.leak.report.LiveEstimate;
import dev.cistern.leak.report.LiveStack;
import dev.cistern.leak.report.StackDetail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds samples up by kind of memory and stack. */
final class LiveSums {
  /** Stacks are compared by identity: their table keeps each once. */
  private record Key(String memory, StackTable.@Nullable Stack stack) {
    // by hand, as in all keys here: what the compiler makes would pin the class loader (JDK 17)
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && stack == key.stack && memory.equals(key.memory);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(stack) * 31 + memory.hashCode();
    }
  }

  private final Map<Key, Sum> sums = new HashMap<>();
  private final StackDetail detail;
  private final FirstOfSite sites = new FirstOfSite();

  LiveSums(StackDetail detail) {
    this.detail = detail;
  }

  /** The sum of one key. */
  private static final class Sum {
    long samples;
    double buffers;
    double buffersVariance;
    double bytes;
    double bytesVariance;
    double lostBytes;
    long oldestMillis = Long.MAX_VALUE;
    final double[] byAge = new double[Age.values().length];

    void add(Sample sample, Age age, long bornMillis, boolean isLost) {
      double weight = sample.liveBytes();
      double size = Math.max(1, sample.requestedBytes());
      double unsampled = Math.max(0, 1 - size / weight);
      samples++;
      buffers += weight / size;
      buffersVariance += unsampled * (weight / size) * (weight / size);
      bytes += weight;
      bytesVariance += unsampled * weight * weight;
      byAge[age.ordinal()] += weight;
      lostBytes += isLost ? weight : 0;
      oldestMillis = Math.min(oldestMillis, bornMillis);
    }

    void add(Sum other) {
      samples += other.samples;
      buffers += other.buffers;
      buffersVariance += other.buffersVariance;
      bytes += other.bytes;
      bytesVariance += other.bytesVariance;
      lostBytes += other.lostBytes;
      oldestMillis = Math.min(oldestMillis, other.oldestMillis);
      for (int i = 0; i < byAge.length; i++) {
        byAge[i] += other.byAge[i];
      }
    }

    LiveStack show(Key key, StackDetail detail) {
      List<Double> ages = new ArrayList<>();
      for (double bytesOfAge : byAge) {
        ages.add(bytesOfAge);
      }
      return new LiveStack(
          key.memory,
          key.stack == null ? CallStack.NONE : key.stack.show(detail),
          oldestMillis,
          lostBytes,
          new LiveEstimate(samples, buffers, buffersVariance, bytes, bytesVariance, ages));
    }
  }

  void add(
      Sample sample, StackTable.@Nullable Stack stack, Age age, long bornMillis, boolean isLost) {
    sum(sample.memory(), stack).add(sample, age, bornMillis, isLost);
  }

  private Sum sum(String memory, StackTable.@Nullable Stack stack) {
    StackTable.Stack shown = detail == StackDetail.SITE ? sites.of(stack) : stack;
    return sums.computeIfAbsent(new Key(memory, shown), key -> new Sum());
  }

  void add(LiveSums others) {
    others.sums.forEach((key, sum) -> sum(key.memory, key.stack).add(sum));
  }

  List<LiveStack> show() {
    List<LiveStack> stacks = new ArrayList<>();
    sums.forEach((key, sum) -> stacks.add(sum.show(key, detail)));
    return stacks;
  }
}
