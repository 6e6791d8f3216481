/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

/**
 * A buffer as it is when its watch begins.
 *
 * @param memory the kind of memory, {@code direct} or {@code heap}
 * @param kind {@code pooled}, {@code unpooled} or {@code composite}
 * @param requestedBytes bytes that were asked for
 * @param slotBytes the size class that serves them, in bytes; 0 where there is none
 * @param isByBytes whether it was drawn by its bytes, at its allocation, and not counted out
 * @param liveBytes bytes of live buffers that this one stands for, by the chance with which it was
 *     drawn; 0: it is not in the live profile
 * @param leakBytes bytes of leaked buffers that it stands for if it leaks; 0: it says nothing of
 *     others
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
  /** The kind of a buffer of a pool, whose memory is lost where it leaks. */
  public static final String POOLED = "pooled";

  /** The kind of a buffer with memory of its own. */
  public static final String UNPOOLED = "unpooled";

  /** The kind of a buffer that joins others. */
  public static final String COMPOSITE = "composite";

  /** A sample that was drawn by its bytes, and stands for {@code weightBytes}. */
  public static Sample byBytes(
      String memory, String kind, int requestedBytes, int slotBytes, long weightBytes) {
    return new Sample(
        memory, kind, requestedBytes, slotBytes, true, weightBytes, weightBytes, false);
  }

  /** A sample that was drawn as one in {@code interval} buffers. */
  public static Sample byCount(
      String memory, String kind, int requestedBytes, int slotBytes, int interval) {
    long weight = (long) requestedBytes * interval;
    return new Sample(
        memory, kind, requestedBytes, slotBytes, false, interval == 1 ? weight : 0, weight, false);
  }

  /** This sample, which was also drawn by its bytes and stands for so many of live ones. */
  public Sample alsoLive(long drawnBytes) {
    return liveBytes > 0 // it is one of all buffers, which stand for themselves
        ? this
        : new Sample(memory, kind, requestedBytes, slotBytes, false, drawnBytes, leakBytes, false);
  }

  /**
   * Returns this sample as one that replaces another of the same allocation: the allocation is not
   * counted again.
   */
  public Sample continued() {
    return new Sample(
        memory, kind, requestedBytes, slotBytes, isByBytes, liveBytes, leakBytes, true);
  }

  /**
   * Returns this sample, which replaces one by bytes of the same allocation.
   *
   * @param drawnBytes the weight of the replaced sample in live bytes; 0: there is none
   */
  public Sample continuing(long drawnBytes) {
    return drawnBytes == 0 ? this : alsoLive(drawnBytes).continued();
  }

  /** Returns the number of live buffers that this one represents; 0 if it is not among those. */
  double buffers() {
    return (double) liveBytes / Math.max(1, requestedBytes);
  }

  /**
   * This sample where buffers are drawn by bytes and counted out too, which are two estimates of
   * the same leaks: each counts for its share, the likelier way to draw a buffer of this size for
   * more. Once, however often it is asked for where the sample was drawn by bytes: a buffer that
   * moves is watched anew.
   *
   * @param intervalBytes the mean of the sampler; 0: it draws none
   * @param interval one in so many buffers is counted out
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

  /** This sample, with another size: it stands for as many buffers as before. */
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

  /** Whether its memory does not come back when the garbage collector has taken the buffer. */
  boolean isLostWithItsBuffer() {
    return liveBytes > 0 && (kind.equals(POOLED) || memory.equals("direct"));
  }

  boolean isExact() {
    return !isByBytes && liveBytes == requestedBytes;
  }
}
