/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A stream whose reads follow a script: each read returns up to a number of bytes, returns none,
 * ends the stream, or fails. After the script, a read returns all requested bytes.
 */
final class TwinStream extends InputStream {
  /** Step at which the read fails. */
  private static final int FAIL = -2;

  /** Step at which the stream ends, although it has bytes left. */
  private static final int END = -1;

  private final byte[] bytes;
  private final int[] script;
  private final boolean failsToEstimate;

  /** The number of bytes that the caller requested in each read. */
  private final List<Integer> reads = new ArrayList<>();

  private int position;

  private TwinStream(byte[] bytes, int[] script, boolean failsToEstimate) {
    this.bytes = bytes;
    this.script = script;
    this.failsToEstimate = failsToEstimate;
  }

  /** Returns two streams with the same bytes and the same random script. */
  static Both random(byte[] bytes, SplittableRandom random) {
    int[] script = new int[random.nextInt(4)];
    for (int i = 0; i < script.length; i++) {
      int[] steps = {FAIL, END, 0, 1, random.nextInt(bytes.length + 1), Integer.MAX_VALUE};
      script[i] = steps[random.nextInt(steps.length)];
    }
    boolean failsToEstimate = random.nextBoolean();
    return new Both(
        new TwinStream(bytes, script, failsToEstimate),
        new TwinStream(bytes, script, failsToEstimate));
  }

  /** Returns two streams that return these numbers of bytes, and then fail. */
  static Both failingAfter(byte[] bytes, int... counts) {
    int[] script = Arrays.copyOf(counts, counts.length + 1);
    script[counts.length] = FAIL;
    return new Both(new TwinStream(bytes, script, true), new TwinStream(bytes, script, true));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 1 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    int step = reads.size() < script.length ? script[reads.size()] : Integer.MAX_VALUE;
    reads.add(length);
    if (step == FAIL) {
      throw new IOException("on purpose");
    } else if (length == 0) {
      return 0;
    } else if (step == END || position == bytes.length) {
      return -1;
    }
    int count = Math.min(step, Math.min(length, bytes.length - position));
    System.arraycopy(bytes, position, target, offset, count);
    position += count;
    return count;
  }

  /** Returns 0, as a stream without an estimate does, or fails: callers must not depend on it. */
  @Override
  public int available() throws IOException {
    if (failsToEstimate) {
      throw new IOException("no estimate");
    }
    return 0;
  }

  /** Returns the bytes that were read. */
  byte[] given() {
    return Arrays.copyOf(bytes, position);
  }

  /** Returns the number of bytes that were read. */
  int position() {
    return position;
  }

  /** Returns the number of bytes that the caller requested in each read. */
  List<Integer> reads() {
    return List.copyOf(reads);
  }

  @Override
  public String toString() {
    return "read " + position + " of " + bytes.length + " bytes by " + reads;
  }
}
