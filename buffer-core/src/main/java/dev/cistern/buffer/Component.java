/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ReadOnlyBufferException;

/**
 * A component of an {@link AbstractCompositeByteBuf}: its range of indices, and their bytes.
 *
 * <p>An access goes to the root, which is the buffer below slices, duplicates and wrappers of the
 * source. The root checks the access again, because other code may have released or shrunk it.
 */
final class Component {
  /** The component of an empty composite. An access to it finds a released buffer. */
  static final Component NONE = none();

  /** What was given, and is released in the end. */
  final ByteBuf source;

  final ByteBuf root;

  // Only the thread that changes the composite writes these.
  int start;
  int end;

  /** What makes an index of the joined buffer one of the root. */
  int shift;

  /**
   * @param sourceIndex where the part begins in the source
   * @param start its first index in the joined buffer
   */
  Component(ByteBuf source, int sourceIndex, int start, int length) {
    this.source = source;
    ByteBuf bare = bare(source);
    root = hasRoot(bare) ? ((ViewByteBuf) bare).root : bare;
    shift = sourceIndex + offsetInRoot(bare) - start;
    this.start = start;
    end = start + length;
  }

  private static Component none() {
    ByteBuf gone = UnpooledByteBufAllocator.DEFAULT.heapBuffer(0);
    gone.release();
    return new Component(gone, 0, 0, 0);
  }

  /** A buffer without the wrappers that change nothing of its bytes. */
  @SuppressWarnings("deprecation") // order() is deprecated
  static ByteBuf bare(ByteBuf buffer) {
    ByteBuf bare = buffer;
    while (bare instanceof ForwardingByteBuf wrapper
        && !(bare
            instanceof
            EmptyByteBuf) // it has an array and a memory address, which its target has not
        && wrapper.order() == wrapper.target.order()) {
      bare = wrapper.target;
    }
    return bare;
  }

  /** A view that refuses writes is a root itself. */
  private static boolean hasRoot(ByteBuf bare) {
    return bare instanceof ViewByteBuf && !bare.isReadOnly();
  }

  private static int offsetInRoot(ByteBuf bare) {
    return hasRoot(bare) ? ((ViewByteBuf) bare).offset : 0;
  }

  int length() {
    return end - start;
  }

  /** Fails where the root would, were so many bytes of the joined buffer read or written. */
  void check(int index, int length, boolean writes) {
    int from = index + shift;
    if (root instanceof AbstractByteBuf known) {
      if (writes) {
        known.checkWrite(from, length);
      } else {
        known.check(from, length);
      }
      known.checkParts(from, length, writes);
    } else if (length > 0) {
      root.getByte(from);
      root.getByte(from + length - 1);
      if (writes && root.isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
    }
  }

  void move(int distance) {
    start += distance;
    end += distance;
    shift -= distance;
  }

  /** The index in the source that an index of the joined buffer stands for. */
  int sourceIndex(int index) {
    return index + shift - offsetInRoot(bare(source));
  }

  /** The part as a buffer: the source where it is all of it. */
  ByteBuf slice() {
    int from = sourceIndex(start);
    return from == 0 && source.capacity() == length() ? source : source.slice(from, length());
  }
}
