/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Reads and writes of numbers of every width, over 4 KiB: all numbers in sequence, or 512 numbers
 * at random indices that are computed beforehand.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class AccessBenchmark extends BufferPair {
  private static final int RANDOM_ACCESSES = 512;

  private final int[] indices =
      new SplittableRandom(1).ints(RANDOM_ACCESSES, 0, BYTES - Long.BYTES).toArray();

  /** Sums all numbers of 1 byte. */
  @Benchmark
  public long getByteSequentialOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  /** Does the same as {@link #getByteSequentialOurs} with Netty. */
  @Benchmark
  public long getByteSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES; i++) {
      sum += buffer.getByte(i);
    }
    return sum;
  }

  /** Sets all numbers of 1 byte. */
  @Benchmark
  public void setByteSequentialOurs() {
    ByteBuf buffer = ours;
    for (int i = 0; i < BYTES; i++) {
      buffer.setByte(i, i);
    }
  }

  /** Does the same as {@link #setByteSequentialOurs} with Netty. */
  @Benchmark
  public void setByteSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int i = 0; i < BYTES; i++) {
      buffer.setByte(i, i);
    }
  }

  /** Sums numbers of 1 byte. */
  @Benchmark
  public long getByteRandomOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getByte(index);
    }
    return sum;
  }

  /** Does the same as {@link #getByteRandomOurs} with Netty. */
  @Benchmark
  public long getByteRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getByte(index);
    }
    return sum;
  }

  /** Sets numbers of 1 byte. */
  @Benchmark
  public void setByteRandomOurs() {
    ByteBuf buffer = ours;
    for (int index : indices) {
      buffer.setByte(index, index);
    }
  }

  /** Does the same as {@link #setByteRandomOurs} with Netty. */
  @Benchmark
  public void setByteRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int index : indices) {
      buffer.setByte(index, index);
    }
  }

  /** Sums all numbers of 2 bytes. */
  @Benchmark
  public long getShortSequentialOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES - 1; i += 2) {
      sum += buffer.getShort(i);
    }
    return sum;
  }

  /** Does the same as {@link #getShortSequentialOurs} with Netty. */
  @Benchmark
  public long getShortSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES - 1; i += 2) {
      sum += buffer.getShort(i);
    }
    return sum;
  }

  /** Sets all numbers of 2 bytes. */
  @Benchmark
  public void setShortSequentialOurs() {
    ByteBuf buffer = ours;
    for (int i = 0; i < BYTES - 1; i += 2) {
      buffer.setShort(i, i);
    }
  }

  /** Does the same as {@link #setShortSequentialOurs} with Netty. */
  @Benchmark
  public void setShortSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int i = 0; i < BYTES - 1; i += 2) {
      buffer.setShort(i, i);
    }
  }

  /** Sums numbers of 2 bytes. */
  @Benchmark
  public long getShortRandomOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getShort(index);
    }
    return sum;
  }

  /** Does the same as {@link #getShortRandomOurs} with Netty. */
  @Benchmark
  public long getShortRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getShort(index);
    }
    return sum;
  }

  /** Sets numbers of 2 bytes. */
  @Benchmark
  public void setShortRandomOurs() {
    ByteBuf buffer = ours;
    for (int index : indices) {
      buffer.setShort(index, index);
    }
  }

  /** Does the same as {@link #setShortRandomOurs} with Netty. */
  @Benchmark
  public void setShortRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int index : indices) {
      buffer.setShort(index, index);
    }
  }

  /** Sums all numbers of 3 bytes. */
  @Benchmark
  public long getMediumSequentialOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES - 2; i += 3) {
      sum += buffer.getMedium(i);
    }
    return sum;
  }

  /** Does the same as {@link #getMediumSequentialOurs} with Netty. */
  @Benchmark
  public long getMediumSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES - 2; i += 3) {
      sum += buffer.getMedium(i);
    }
    return sum;
  }

  /** Sets all numbers of 3 bytes. */
  @Benchmark
  public void setMediumSequentialOurs() {
    ByteBuf buffer = ours;
    for (int i = 0; i < BYTES - 2; i += 3) {
      buffer.setMedium(i, i);
    }
  }

  /** Does the same as {@link #setMediumSequentialOurs} with Netty. */
  @Benchmark
  public void setMediumSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int i = 0; i < BYTES - 2; i += 3) {
      buffer.setMedium(i, i);
    }
  }

  /** Sums numbers of 3 bytes. */
  @Benchmark
  public long getMediumRandomOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getMedium(index);
    }
    return sum;
  }

  /** Does the same as {@link #getMediumRandomOurs} with Netty. */
  @Benchmark
  public long getMediumRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getMedium(index);
    }
    return sum;
  }

  /** Sets numbers of 3 bytes. */
  @Benchmark
  public void setMediumRandomOurs() {
    ByteBuf buffer = ours;
    for (int index : indices) {
      buffer.setMedium(index, index);
    }
  }

  /** Does the same as {@link #setMediumRandomOurs} with Netty. */
  @Benchmark
  public void setMediumRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int index : indices) {
      buffer.setMedium(index, index);
    }
  }

  /** Sums all numbers of 4 bytes. */
  @Benchmark
  public long getIntSequentialOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES - 3; i += 4) {
      sum += buffer.getInt(i);
    }
    return sum;
  }

  /** Does the same as {@link #getIntSequentialOurs} with Netty. */
  @Benchmark
  public long getIntSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES - 3; i += 4) {
      sum += buffer.getInt(i);
    }
    return sum;
  }

  /** Sets all numbers of 4 bytes. */
  @Benchmark
  public void setIntSequentialOurs() {
    ByteBuf buffer = ours;
    for (int i = 0; i < BYTES - 3; i += 4) {
      buffer.setInt(i, i);
    }
  }

  /** Does the same as {@link #setIntSequentialOurs} with Netty. */
  @Benchmark
  public void setIntSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int i = 0; i < BYTES - 3; i += 4) {
      buffer.setInt(i, i);
    }
  }

  /** Sums numbers of 4 bytes. */
  @Benchmark
  public long getIntRandomOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getInt(index);
    }
    return sum;
  }

  /** Does the same as {@link #getIntRandomOurs} with Netty. */
  @Benchmark
  public long getIntRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getInt(index);
    }
    return sum;
  }

  /** Sets numbers of 4 bytes. */
  @Benchmark
  public void setIntRandomOurs() {
    ByteBuf buffer = ours;
    for (int index : indices) {
      buffer.setInt(index, index);
    }
  }

  /** Does the same as {@link #setIntRandomOurs} with Netty. */
  @Benchmark
  public void setIntRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int index : indices) {
      buffer.setInt(index, index);
    }
  }

  /** Sums all numbers of 8 bytes. */
  @Benchmark
  public long getLongSequentialOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  /** Does the same as {@link #getLongSequentialOurs} with Netty. */
  @Benchmark
  public long getLongSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLong(i);
    }
    return sum;
  }

  /** Sets all numbers of 8 bytes. */
  @Benchmark
  public void setLongSequentialOurs() {
    ByteBuf buffer = ours;
    for (int i = 0; i < BYTES - 7; i += 8) {
      buffer.setLong(i, i);
    }
  }

  /** Does the same as {@link #setLongSequentialOurs} with Netty. */
  @Benchmark
  public void setLongSequentialNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int i = 0; i < BYTES - 7; i += 8) {
      buffer.setLong(i, i);
    }
  }

  /** Sums numbers of 8 bytes. */
  @Benchmark
  public long getLongRandomOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }

  /** Does the same as {@link #getLongRandomOurs} with Netty. */
  @Benchmark
  public long getLongRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int index : indices) {
      sum += buffer.getLong(index);
    }
    return sum;
  }

  /** Sets numbers of 8 bytes. */
  @Benchmark
  public void setLongRandomOurs() {
    ByteBuf buffer = ours;
    for (int index : indices) {
      buffer.setLong(index, index);
    }
  }

  /** Does the same as {@link #setLongRandomOurs} with Netty. */
  @Benchmark
  public void setLongRandomNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    for (int index : indices) {
      buffer.setLong(index, index);
    }
  }

  /** Writes 1,024 ints. */
  @Benchmark
  public void writeIntsOurs() {
    ByteBuf buffer = ours.clear();
    for (int i = 0; i < BYTES / Integer.BYTES; i++) {
      buffer.writeInt(i);
    }
  }

  /** Does the same as {@link #writeIntsOurs} with Netty. */
  @Benchmark
  public void writeIntsNetty() {
    io.netty.buffer.ByteBuf buffer = theirs.clear();
    for (int i = 0; i < BYTES / Integer.BYTES; i++) {
      buffer.writeInt(i);
    }
  }

  /** Reads 512 longs. */
  @Benchmark
  public long readLongsOurs() {
    ByteBuf buffer = ours.setIndex(0, BYTES);
    long sum = 0;
    for (int i = 0; i < BYTES / Long.BYTES; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }

  /** Does the same as {@link #readLongsOurs} with Netty. */
  @Benchmark
  public long readLongsNetty() {
    io.netty.buffer.ByteBuf buffer = theirs.setIndex(0, BYTES);
    long sum = 0;
    for (int i = 0; i < BYTES / Long.BYTES; i++) {
      sum += buffer.readLong();
    }
    return sum;
  }

  /** Sums 512 longs, little endian. */
  @Benchmark
  public long getLongLittleEndianOurs() {
    ByteBuf buffer = ours;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLongLE(i);
    }
    return sum;
  }

  /** Does the same as {@link #getLongLittleEndianOurs} with Netty. */
  @Benchmark
  public long getLongLittleEndianNetty() {
    io.netty.buffer.ByteBuf buffer = theirs;
    long sum = 0;
    for (int i = 0; i < BYTES - 7; i += 8) {
      sum += buffer.getLongLE(i);
    }
    return sum;
  }
}
