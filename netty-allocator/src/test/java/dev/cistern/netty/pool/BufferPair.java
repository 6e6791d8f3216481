/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.Random;

/** One of Netty's buffers and one of ours, kept in step. */
public final class BufferPair {
  private final ByteBuf netty;
  private final ByteBuf ours;
  private final Random random;

  public BufferPair(ByteBuf netty, ByteBuf ours, Random random) {
    this.netty = netty;
    this.ours = ours;
    this.random = random;
  }

  public void apply(BufferOperation operation, String log) {
    int oldCapacity = netty.capacity();
    long seed = random.nextLong();
    Object expected = outcome(operation, netty, seed);
    Object actual = outcome(operation, ours, seed);
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

  /** Growth by itself follows size classes, which are not the same; contents begin unknown. */
  private void evenOut(int oldCapacity) {
    int capacity = Math.max(netty.capacity(), ours.capacity());
    int before = Math.min(oldCapacity, Math.min(netty.capacity(), ours.capacity()));
    netty.capacity(capacity);
    ours.capacity(capacity);
    zeroFrom(Math.max(before, Math.min(oldCapacity, capacity)));
  }

  public void zeroFrom(int start) {
    int length = netty.capacity() - start;
    int written = Math.max(netty.writerIndex() - start, 0);
    netty.setZero(start + written, length - written);
    ours.setZero(start + written, length - written);
  }

  private void compare(String log) {
    assertThat(ours.readerIndex()).as(log).isEqualTo(netty.readerIndex());
    assertThat(ours.writerIndex()).as(log).isEqualTo(netty.writerIndex());
    assertThat(ours.capacity()).as(log).isEqualTo(netty.capacity());
    assertThat(ours.maxCapacity()).as(log).isEqualTo(netty.maxCapacity());
    assertThat(ours.refCnt()).as(log).isEqualTo(netty.refCnt());
    byte[] expected = new byte[netty.capacity()];
    netty.getBytes(0, expected);
    byte[] actual = new byte[ours.capacity()];
    ours.getBytes(0, actual);
    assertThat(actual).as(log).isEqualTo(expected);
  }
}
