/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.nio.ReadOnlyBufferException;

/**
 * A component of an {@link AbstractCompositeByteBuf}: a range of its indices, and the bytes there.
 *
 * <p>The root is the buffer below slices, duplicates and wrappers of the source. Each access uses
 * the root, which checks it again, because other code may have released or shrunk the root.
 */
final class Component {
  /** The component of an empty composite. An access to it fails because its buffer is released. */
  static final Component NONE = none();

  /** The buffer that was added, which the composite releases. */
  final ByteBuf source;

  final ByteBuf root;

  // Only the thread that changes the composite writes the fields below.
  int start;
  int end;

  /** The number to add to an index of the composite to get the index in the root. */
  int shift;

  /**
   * @param sourceIndex the index in the source at which the component begins
   * @param start the first index of the component in the composite
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

  /** Returns a buffer without the wrappers that do not change its bytes. */
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

  /** Returns whether a buffer is a view of another root. A read-only view is its own root. */
  private static boolean hasRoot(ByteBuf bare) {
    return bare instanceof ViewByteBuf && !bare.isReadOnly();
  }

  private static int offsetInRoot(ByteBuf bare) {
    return hasRoot(bare) ? ((ViewByteBuf) bare).offset : 0;
  }

  int length() {
    return end - start;
  }

  /**
   * Fails if the root would refuse an access to {@code length} bytes at an index of the composite.
   */
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

  /** Returns the index in the source of an index of the composite. */
  int sourceIndex(int index) {
    return index + shift - offsetInRoot(bare(source));
  }

  /**
   * Returns the component as a buffer: the source if the component is all of it, otherwise a slice.
   */
  ByteBuf slice() {
    int from = sourceIndex(start);
    return from == 0 && source.capacity() == length() ? source : source.slice(from, length());
  }
}
