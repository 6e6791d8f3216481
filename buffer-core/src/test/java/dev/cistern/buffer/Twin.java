/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.util.Arrays;

/** Netty's buffer and ours, to which the same happens. */
final class Twin {
  private final io.netty.buffer.ByteBuf theirs;
  private final ByteBuf ours;
  private final TwinKind kind;

  /** How many times a view of a view it is, or a copy of a copy. */
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

  /** True for a retained view of a pooled buffer of Netty's. */
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
   * copy of a pooled argument; in one of pooled buffers, ours may be pooled where Netty's is not.
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

  /** Writes {@code bytes} into both, from index 0 on, as what is readable. */
  Twin fill(byte[] bytes) {
    theirs.setIndex(0, 0).writeBytes(bytes);
    ours.setIndex(0, 0).writeBytes(bytes);
    return this;
  }

  /**
   * Makes the bytes from {@code defined} on 0, since new bytes may have any value. Gives both the
   * larger capacity of the two where they are pooled: how far they grow is then the pool's affair.
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

  /** As {@link #level(int)}, where what was written begins beyond what was the capacity, too. */
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

  /** Says how the two differ, or null where they do not; counts may be left out. */
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
        + (buffer.refCnt() > 0 ? buffer.capacity() : "gone")
        + "/"
        + buffer.maxCapacity()
        + " held "
        + buffer.refCnt();
  }

  private static String state(ByteBuf buffer) {
    return buffer.readerIndex()
        + "/"
        + buffer.writerIndex()
        + "/"
        + (buffer.refCnt() > 0 ? buffer.capacity() : "gone")
        + "/"
        + buffer.maxCapacity()
        + " held "
        + buffer.refCnt();
  }

  /** As {@link #difference}, of the marks; the indices are then where they were. */
  String differenceOfMarks() {
    // Where the root has shrunk, Netty's would not take its indices back.
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

  /** What is readable, and inside: its root may have shrunk. */
  static byte[] bytes(io.netty.buffer.ByteBuf buffer) {
    int inside = Math.min(buffer.readableBytes(), buffer.capacity() - buffer.readerIndex());
    return inside <= 0 ? new byte[0] : bytes(buffer, buffer.readerIndex(), inside);
  }

  /** What is readable, and inside: its root may have shrunk. */
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

  /** Lets go of every reference that is left, of what can be released. */
  void free() {
    free(both());
  }

  /** What stands on the empty buffer is everybody's. */
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
