/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sum of estimates, without an object for each step. Samples are independent, so variances add.
 * One thread uses it.
 */
public final class EstimateSum {
  /** The only estimate so far, which needs no addition; null if there is none. */
  private @Nullable LiveEstimate first;

  /** The sums of bytes by age; null while there are fewer than two estimates. */
  private double @Nullable [] bytesByAge;

  private long samples;
  private double buffers;
  private double buffersVariance;
  private double bytes;
  private double bytesVariance;

  /** Creates an empty sum. */
  public EstimateSum() {}

  /** Adds an estimate. */
  public void add(LiveEstimate more) {
    if (bytesByAge != null) {
      add(more, bytesByAge);
    } else if (first == null) {
      first = more;
    } else {
      bytesByAge = new double[more.bytesByAge().size()];
      add(first, bytesByAge);
      add(more, bytesByAge);
    }
  }

  private void add(LiveEstimate more, double[] ages) {
    samples += more.samples();
    buffers += more.buffers();
    buffersVariance += more.buffersVariance();
    bytes += more.bytes();
    bytesVariance += more.bytesVariance();
    for (int i = 0; i < ages.length; i++) {
      ages[i] += more.bytesByAge().get(i);
    }
  }

  /** Returns the sum. */
  public LiveEstimate sum() {
    if (bytesByAge == null) {
      return first == null ? LiveEstimate.NOTHING : first;
    }
    Double[] ages = new Double[bytesByAge.length];
    for (int i = 0; i < ages.length; i++) {
      ages[i] = bytesByAge[i];
    }
    return new LiveEstimate(samples, buffers, buffersVariance, bytes, bytesVariance, List.of(ages));
  }
}
