/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.Arrays;

/** Netty's buffer and Cistern's buffer, which get the same calls. */
final class Twin {
  private final io.netty.buffer.ByteBuf theirs;
  private final ByteBuf ours;
  private final TwinKind kind;

  /**
   * Number of steps from the first buffer: 1 for a view or copy of it, 2 for a view of that, and so
   * on.
   */
  private final int depth;

  Twin(Both both, TwinKind kind, int depth) {
    this((io.netty.buffer.ByteBuf) both.theirs(), (ByteBuf) both.ours(), kind, depth);
  }

  Twin(io.netty.buffer.ByteBuf theirs, ByteBuf ours, TwinKind kind, int depth) {
    this.theirs = theirs;
    this.ours = ours;
    this.kind = kind;
    this.depth = depth;
  }

  io.netty.buffer.ByteBuf theirs() {
    return theirs;
  }

  ByteBuf ours() {
    return ours;
  }

  TwinKind kind() {
    return kind;
  }

  int depth() {
    return depth;
  }

  /**
   * Returns whether Netty's buffer is a retained view of a pooled buffer, which has its own count.
   */
  boolean isCountedByItself() {
    for (io.netty.buffer.ByteBuf buffer = theirs; buffer != null; buffer = buffer.unwrap()) {
      String name = buffer.getClass().getSimpleName();
      if (name.matches("Pooled[A-Za-z]*(Sliced|Duplicated?)ByteBuf")) {
        return true;
      }
    }
    return false;
  }

  boolean isOfTheEmptyBuffer() {
    return isOfTheEmptyBuffer(theirs);
  }

  private static boolean isOfTheEmptyBuffer(io.netty.buffer.ByteBuf view) {
    for (io.netty.buffer.ByteBuf buffer = view; buffer != null; buffer = buffer.unwrap()) {
      if (buffer instanceof io.netty.buffer.EmptyByteBuf) {
        return true;
      }
    }
    return false;
  }

  static boolean isOfAFixedComposite(io.netty.buffer.ByteBuf view) {
    for (io.netty.buffer.ByteBuf buffer = view; buffer != null; buffer = buffer.unwrap()) {
      if (buffer.getClass().getSimpleName().equals("FixedCompositeByteBuf")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the memory may be pooled. In a comparison of unpooled buffers, that can be the
   * copy of a pooled argument. In a comparison of pooled buffers, Cistern's buffer can be pooled
   * although Netty's is not.
   */
  boolean isPooled() {
    io.netty.buffer.ByteBuf root = theirs;
    while (root.unwrap() != null) {
      root = root.unwrap();
    }
    return kind.isPooled() || root.getClass().getSimpleName().startsWith("Pooled");
  }

  Both both() {
    return new Both(theirs, ours);
  }

  /** Writes {@code bytes} to both buffers from index 0 on, and makes them readable. */
  Twin fill(byte[] bytes) {
    theirs.setIndex(0, 0).writeBytes(bytes);
    ours.setIndex(0, 0).writeBytes(bytes);
    return this;
  }

  /**
   * Sets the bytes from {@code defined} on to 0, because new bytes can have any value. If the
   * buffers are pooled, gives both the larger of the two capacities, because pools can differ in
   * how far they let a buffer grow.
   */
  void level(int defined) {
    boolean isJoined = TwinArguments.root(ours) instanceof AbstractCompositeByteBuf;
    if (isPooled() && !isJoined && theirs.capacity() != ours.capacity()) {
      int capacity = Math.max(theirs.capacity(), ours.capacity());
      theirs.capacity(capacity);
      ours.capacity(capacity);
    }
    int capacity = Math.min(theirs.capacity(), ours.capacity());
    zero(Math.max(defined, ours.writerIndex()), capacity);
  }

  /**
   * Does the same as {@link #level(int)}, also if the written bytes begin beyond the previous
   * capacity.
   */
  void level(int defined, int written) {
    level(defined);
    zero(defined, Math.min(written, Math.min(theirs.capacity(), ours.capacity())));
  }

  private void zero(int from, int to) {
    if (from < to) {
      theirs.setZero(from, to - from);
      ours.setZero(from, to - from);
    }
  }

  /** Returns the difference of the two buffers, or null; it can leave out the counts. */
  String difference(boolean withCounts) {
    if (theirs.readerIndex() != ours.readerIndex()
        || theirs.writerIndex() != ours.writerIndex()
        || (withCounts && theirs.refCnt() != ours.refCnt())
        || (ours.refCnt() > 0 && theirs.capacity() != ours.capacity())
        || theirs.maxCapacity() != ours.maxCapacity()) {
      return "theirs " + state(theirs) + ", ours " + state(ours);
    }
    if (ours.refCnt() == 0) {
      return null;
    }
    byte[] all = bytes(theirs, 0, theirs.capacity());
    byte[] allOurs = bytes(ours, 0, ours.capacity());
    int mismatch = Arrays.mismatch(all, allOurs);
    return mismatch < 0
        ? null
        : "byte " + mismatch + ": theirs " + all[mismatch] + ", ours " + allOurs[mismatch];
  }

  private static String state(io.netty.buffer.ByteBuf buffer) {
    return buffer.readerIndex()
        + "/"
        + buffer.writerIndex()
        + "/"
        + (buffer.refCnt() > 0 ? buffer.capacity() : "released")
        + "/"
        + buffer.maxCapacity()
        + " refCnt "
        + buffer.refCnt();
  }

  private static String state(ByteBuf buffer) {
    return buffer.readerIndex()
        + "/"
        + buffer.writerIndex()
        + "/"
        + (buffer.refCnt() > 0 ? buffer.capacity() : "released")
        + "/"
        + buffer.maxCapacity()
        + " refCnt "
        + buffer.refCnt();
  }

  /** Returns the difference of the marks, or null; the indices are then restored. */
  String differenceOfMarks() {
    // After the root has shrunk, Netty's buffer would not accept its previous indices.
    if (ours.refCnt() == 0 || theirs.writerIndex() > theirs.capacity()) {
      return null;
    }
    String marksOfTheirs = marks(theirs);
    String marksOfOurs = marks(ours);
    return marksOfTheirs.equals(marksOfOurs)
        ? null
        : "marks: theirs " + marksOfTheirs + ", ours " + marksOfOurs;
  }

  private static String marks(io.netty.buffer.ByteBuf buffer) {
    int readerIndex = buffer.readerIndex();
    int writerIndex = buffer.writerIndex();
    String reader;
    try {
      reader = String.valueOf(buffer.resetReaderIndex().readerIndex());
    } catch (IndexOutOfBoundsException outside) {
      reader = "outside";
    }
    buffer.setIndex(readerIndex, writerIndex);
    String writer;
    try {
      writer = String.valueOf(buffer.resetWriterIndex().writerIndex());
    } catch (IndexOutOfBoundsException outside) {
      writer = "outside";
    }
    buffer.setIndex(readerIndex, writerIndex);
    return reader + "/" + writer;
  }

  private static String marks(ByteBuf buffer) {
    int readerIndex = buffer.readerIndex();
    int writerIndex = buffer.writerIndex();
    String reader;
    try {
      reader = String.valueOf(buffer.resetReaderIndex().readerIndex());
    } catch (IndexOutOfBoundsException outside) {
      reader = "outside";
    }
    buffer.setIndex(readerIndex, writerIndex);
    String writer;
    try {
      writer = String.valueOf(buffer.resetWriterIndex().writerIndex());
    } catch (IndexOutOfBoundsException outside) {
      writer = "outside";
    }
    buffer.setIndex(readerIndex, writerIndex);
    return reader + "/" + writer;
  }

  /** Returns the readable bytes within the capacity, because the root may have shrunk. */
  static byte[] bytes(io.netty.buffer.ByteBuf buffer) {
    int inside = Math.min(buffer.readableBytes(), buffer.capacity() - buffer.readerIndex());
    return inside <= 0 ? new byte[0] : bytes(buffer, buffer.readerIndex(), inside);
  }

  /** Returns the readable bytes within the capacity, because the root may have shrunk. */
  static byte[] bytes(ByteBuf buffer) {
    int inside = Math.min(buffer.readableBytes(), buffer.capacity() - buffer.readerIndex());
    return inside <= 0 ? new byte[0] : bytes(buffer, buffer.readerIndex(), inside);
  }

  static byte[] bytes(io.netty.buffer.ByteBuf buffer, int index, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(index, bytes);
    return bytes;
  }

  static byte[] bytes(ByteBuf buffer, int index, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(index, bytes);
    return bytes;
  }

  /** Releases all remaining references to both buffers. */
  void free() {
    free(both());
  }

  /**
   * Releases all remaining references; does nothing for views of the empty buffer, which all tests
   * share.
   */
  static void free(Both both) {
    if (both.theirs() instanceof io.netty.buffer.ByteBuf buffer && !isOfTheEmptyBuffer(buffer)) {
      boolean isWrapped = buffer.getClass().getSimpleName().equals("UnreleasableByteBuf");
      io.netty.buffer.ByteBuf held = isWrapped ? buffer.unwrap() : buffer;
      if (held.refCnt() > 0) {
        held.release(held.refCnt());
      }
    }
    if (both.ours() instanceof ByteBuf buffer
        && !(TwinArguments.root(buffer) instanceof EmptyByteBuf)) {
      ByteBuf held = buffer instanceof UnreleasableByteBuf ? buffer.unwrap() : buffer;
      if (held.refCnt() > 0) {
        held.release(held.refCnt());
      }
    }
  }

  @Override
  public String toString() {
    return kind + " " + (ours.refCnt() > 0 ? state(ours) : "released");
  }
}
