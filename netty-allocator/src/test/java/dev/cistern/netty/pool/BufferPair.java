/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.Random;

/** A buffer of Netty and a tested buffer of Cistern, with the same operations on both. */
public final class BufferPair {
  private final ByteBuf netty;
  private final ByteBuf tested;
  private final Random random;

  public BufferPair(ByteBuf netty, ByteBuf tested, Random random) {
    this.netty = netty;
    this.tested = tested;
    this.random = random;
  }

  public void apply(BufferOperation operation, String log) {
    int oldCapacity = netty.capacity();
    long seed = random.nextLong();
    Object expected = outcome(operation, netty, seed);
    Object actual = outcome(operation, tested, seed);
    assertThat(actual).as(log).isEqualTo(expected);
    evenOut(oldCapacity);
    compare(log);
  }

  private static Object outcome(BufferOperation operation, ByteBuf buffer, long seed) {
    try {
      return operation.apply(buffer, new Random(seed));
    } catch (AssertionError failed) {
      throw failed;
    } catch (Exception thrown) {
      return thrown.getClass();
    }
  }

  /**
   * Makes capacities and new contents equal. Automatic growth follows size classes, which differ,
   * and new contents are undefined.
   */
  private void evenOut(int oldCapacity) {
    int capacity = Math.max(netty.capacity(), tested.capacity());
    int before = Math.min(oldCapacity, Math.min(netty.capacity(), tested.capacity()));
    netty.capacity(capacity);
    tested.capacity(capacity);
    zeroFrom(Math.max(before, Math.min(oldCapacity, capacity)));
  }

  public void zeroFrom(int start) {
    int length = netty.capacity() - start;
    int written = Math.max(netty.writerIndex() - start, 0);
    netty.setZero(start + written, length - written);
    tested.setZero(start + written, length - written);
  }

  private void compare(String log) {
    assertThat(tested.readerIndex()).as(log).isEqualTo(netty.readerIndex());
    assertThat(tested.writerIndex()).as(log).isEqualTo(netty.writerIndex());
    assertThat(tested.capacity()).as(log).isEqualTo(netty.capacity());
    assertThat(tested.maxCapacity()).as(log).isEqualTo(netty.maxCapacity());
    assertThat(tested.refCnt()).as(log).isEqualTo(netty.refCnt());
    byte[] expected = new byte[netty.capacity()];
    netty.getBytes(0, expected);
    byte[] actual = new byte[tested.capacity()];
    tested.getBytes(0, actual);
    assertThat(actual).as(log).isEqualTo(expected);
  }
}
