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

/** Sums of samples by kind of memory and stack. Not thread-safe. */
final class LiveSums {
  private final Map<StackKey, Sum> sums = new HashMap<>();
  private final StackDetail detail;
  private final SiteRepresentatives sites = new SiteRepresentatives();

  LiveSums(StackDetail detail) {
    this.detail = detail;
  }

  /** The sum of one key. */
  private static final class Sum {
    final WeightSums all = new WeightSums();
    double lostBytes;
    long oldestMillis = Long.MAX_VALUE;
    final double[] byAge = new double[Age.values().length];

    void add(Sample sample, Age age, long bornMillis, boolean isLost) {
      double weight = sample.liveBytes();
      all.add(sample, 1);
      byAge[age.ordinal()] += weight;
      lostBytes += isLost ? weight : 0;
      oldestMillis = Math.min(oldestMillis, bornMillis);
    }

    void add(Sum other) {
      all.add(other.all);
      lostBytes += other.lostBytes;
      oldestMillis = Math.min(oldestMillis, other.oldestMillis);
      for (int i = 0; i < byAge.length; i++) {
        byAge[i] += other.byAge[i];
      }
    }

    LiveStack show(StackKey key, StackDetail detail) {
      List<Double> ages = new ArrayList<>();
      for (double bytesOfAge : byAge) {
        ages.add(bytesOfAge);
      }
      return new LiveStack(
          key.memory(),
          key.stack() == null ? CallStack.NONE : key.stack().show(detail),
          oldestMillis,
          lostBytes,
          new LiveEstimate(
              all.samples, all.buffers, all.buffersVariance, all.bytes, all.bytesVariance, ages));
    }
  }

  void add(
      Sample sample, StackTable.@Nullable Stack stack, Age age, long bornMillis, boolean isLost) {
    sum(sample.memory(), stack).add(sample, age, bornMillis, isLost);
  }

  private Sum sum(String memory, StackTable.@Nullable Stack stack) {
    StackTable.Stack shown = detail == StackDetail.SITE ? sites.of(stack) : stack;
    return sums.computeIfAbsent(new StackKey(memory, shown), key -> new Sum());
  }

  void add(LiveSums others) {
    others.sums.forEach((key, sum) -> sum(key.memory(), key.stack()).add(sum));
  }

  List<LiveStack> show() {
    List<LiveStack> stacks = new ArrayList<>();
    sums.forEach((key, sum) -> stacks.add(sum.show(key, detail)));
    return stacks;
  }
}
