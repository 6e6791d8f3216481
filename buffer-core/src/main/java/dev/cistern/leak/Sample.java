/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/**
 * A watched buffer: its sizes and the weights of its selection.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param kind {@code pooled}, {@code unpooled} or {@code composite}
 * @param requestedBytes requested size in bytes
 * @param slotBytes size class in bytes; 0 if there is none
 * @param isByBytes whether it was sampled by bytes at its allocation, and not by count
 * @param liveBytes weight in live bytes, from the probability of its selection; 0 if it is not in
 *     the live profile
 * @param leakBytes weight in leaked bytes if it leaks; 0 if it represents no other buffers
 * @param isContinued whether it replaces another sample of the same allocation, which is counted
 *     already
 */
public record Sample(
    String memory,
    String kind,
    int requestedBytes,
    int slotBytes,
    boolean isByBytes,
    long liveBytes,
    long leakBytes,
    boolean isContinued) {
  /** The kind of a buffer of a pool, whose memory stays allocated if it leaks. */
  public static final String POOLED = "pooled";

  /** The kind of a buffer with its own memory. */
  public static final String UNPOOLED = "unpooled";

  /** The kind of a buffer that consists of other buffers. */
  public static final String COMPOSITE = "composite";

  /** Returns a sample by bytes with a weight of {@code weightBytes}. */
  public static Sample byBytes(
      String memory, String kind, int requestedBytes, int slotBytes, long weightBytes) {
    return new Sample(
        memory, kind, requestedBytes, slotBytes, true, weightBytes, weightBytes, false);
  }

  /** Returns a sample of one in {@code interval} buffers. */
  public static Sample byCount(
      String memory, String kind, int requestedBytes, int slotBytes, int interval) {
    long weight = (long) requestedBytes * interval;
    return new Sample(
        memory, kind, requestedBytes, slotBytes, false, interval == 1 ? weight : 0, weight, false);
  }

  /** Returns this sample with the weight in live bytes of a sample by bytes. */
  public Sample alsoLive(long drawnBytes) {
    return liveBytes > 0 // every buffer is tracked, and represents itself
        ? this
        : new Sample(memory, kind, requestedBytes, slotBytes, false, drawnBytes, leakBytes, false);
  }

  /**
   * Returns this sample as one that replaces another sample of the same allocation, which is not
   * counted again.
   */
  public Sample continued() {
    return new Sample(
        memory, kind, requestedBytes, slotBytes, isByBytes, liveBytes, leakBytes, true);
  }

  /**
   * Returns this sample, which replaces one by bytes of the same allocation.
   *
   * @param drawnBytes the weight of the replaced sample in live bytes; 0 if there is none
   */
  public Sample continuing(long drawnBytes) {
    return drawnBytes == 0 ? this : alsoLive(drawnBytes).continued();
  }

  /**
   * Returns the number of live buffers that this one represents; 0 if it is not in the live
   * profile.
   */
  double buffers() {
    return (double) liveBytes / Math.max(1, requestedBytes);
  }

  /**
   * Returns this sample with its weight if two samplers, by bytes and by count, estimate the same
   * leaks. Each estimate has a share; the sampler with the higher probability for this size has
   * more. A repeated call returns the same for a sample by bytes, because the tracking of a buffer
   * that moves starts again.
   *
   * @param intervalBytes the mean of the sampler by bytes; 0 if it is off
   * @param interval mean number of buffers of which one is selected by count
   */
  public Sample drawnTwoWays(long intervalBytes, int interval) {
    if (intervalBytes == 0 || interval == 1 || requestedBytes == 0) {
      return this;
    }
    double byBytes = (double) requestedBytes / ByteSampler.weight(requestedBytes, intervalBytes);
    double share = byBytes / (byBytes + 1.0 / interval);
    double leaked = share * liveBytes + (isByBytes ? 0 : (1 - share) * leakBytes);
    return new Sample(
        memory,
        kind,
        requestedBytes,
        slotBytes,
        isByBytes,
        liveBytes,
        Math.round(leaked),
        isContinued);
  }

  /** Returns this sample with another size, which represents as many buffers as before. */
  Sample moved(int newBytes, int newSlotBytes) {
    double scale = (double) newBytes / Math.max(1, requestedBytes);
    return new Sample(
        memory,
        kind,
        newBytes,
        newSlotBytes,
        isByBytes,
        Math.round(liveBytes * scale),
        Math.round(leakBytes * scale),
        isContinued);
  }

  /** Returns whether its memory stays allocated after a garbage collection of the buffer. */
  boolean isLostWithItsBuffer() {
    return liveBytes > 0 && (kind.equals(POOLED) || memory.equals("direct"));
  }

  boolean isExact() {
    return !isByBytes && liveBytes == requestedBytes;
  }
}
