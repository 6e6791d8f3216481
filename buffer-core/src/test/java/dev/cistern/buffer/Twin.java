/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Netty's buffer and ours, to which the same happens. */
record Twin(io.netty.buffer.ByteBuf theirs, ByteBuf ours) {

  /** What a call did: returned a value, or threw. */
  record Outcome(Object value, Throwable thrown) {
    /** In a form that can be compared between the two libraries. */
    String comparable() {
      return thrown != null ? exception() : String.valueOf(show(value));
    }

    /** The type, where Netty's own choice leaks from the JDK the one that its contract names. */
    private String exception() {
      String message = String.valueOf(thrown.getMessage());
      boolean isFromTheJdk = message.startsWith("newLimit") || message.startsWith("newPosition");
      return thrown instanceof IndexOutOfBoundsException || isFromTheJdk
          ? IndexOutOfBoundsException.class.getSimpleName()
          : thrown.getClass().getSimpleName();
    }

    private static Object show(Object value) {
      if (value instanceof io.netty.buffer.ByteBuf buffer) {
        return "readable " + Arrays.toString(bytes(buffer));
      } else if (value instanceof ByteBuf buffer) {
        return "readable " + Arrays.toString(bytes(buffer));
      } else if (value instanceof ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return "remaining " + Arrays.toString(bytes) + buffer.order();
      } else if (value instanceof ByteBuffer[] buffers) {
        return Arrays.stream(buffers).map(Outcome::show).toList();
      } else if (value instanceof CharSequence text) {
        return text.toString();
      }
      return value;
    }

    @Override
    public String toString() {
      return comparable() + (thrown == null ? "" : " (" + thrown.getMessage() + ")");
    }
  }

  static Outcome call(Method method, Object target, Object[] arguments) {
    try {
      return new Outcome(method.invoke(target, arguments), null);
    } catch (InvocationTargetException thrown) {
      return new Outcome(null, thrown.getCause());
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }

  static byte[] bytes(io.netty.buffer.ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), bytes);
    return bytes;
  }

  /** Writes {@code bytes} into both, from index 0 on, as what is readable. */
  void fill(byte[] bytes) {
    theirs.setIndex(0, 0).writeBytes(bytes);
    ours.setIndex(0, 0).writeBytes(bytes);
  }

  /**
   * Gives both the larger capacity of the two and makes the bytes from {@code defined} on 0: how
   * far a buffer grows is its allocator's affair, and new bytes may have any value.
   */
  void level(int defined) {
    int capacity = Math.max(theirs.capacity(), ours.capacity());
    if (theirs.capacity() != capacity) {
      theirs.capacity(capacity);
    }
    if (ours.capacity() != capacity) {
      ours.capacity(capacity);
    }
    int from = Math.max(defined, ours.writerIndex());
    if (from < capacity) {
      theirs.setZero(from, capacity - from);
      ours.setZero(from, capacity - from);
    }
  }

  /** Says how the two differ, or null where they do not. */
  String difference() {
    String shownTheirs = state(theirs.readerIndex(), theirs.writerIndex(), theirs.capacity());
    String shownOurs = state(ours.readerIndex(), ours.writerIndex(), ours.capacity());
    if (!shownTheirs.equals(shownOurs)) {
      return "theirs " + shownTheirs + ", ours " + shownOurs;
    }
    byte[] all = new byte[theirs.capacity()];
    theirs.getBytes(0, all);
    byte[] allOurs = new byte[all.length];
    ours.getBytes(0, allOurs);
    int mismatch = Arrays.mismatch(all, allOurs);
    return mismatch < 0
        ? null
        : "byte " + mismatch + ": theirs " + all[mismatch] + ", ours " + allOurs[mismatch];
  }

  private static String state(int readerIndex, int writerIndex, int capacity) {
    return readerIndex + "/" + writerIndex + "/" + capacity;
  }
}
