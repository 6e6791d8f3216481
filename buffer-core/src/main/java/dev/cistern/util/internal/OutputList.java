/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import dev.cistern.util.Recycler;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A reusable list for the messages that a decoder produces. {@link #clear} takes constant time.
 * {@link #recycle} removes the references to the messages.
 *
 * <p>It belongs to one thread and contains no null. Code must not use it after {@link #recycle}.
 */
public final class OutputList extends AbstractList<Object> implements RandomAccess {
  private static final int FIRST_LENGTH = 16;

  /**
   * The maximum length of an array that a recycled list keeps, so that a burst does not keep memory
   * in use.
   */
  private static final int MAX_KEPT_LENGTH = 1 << 12;

  private static final Recycler<OutputList> RECYCLER =
      new Recycler<>(16, 1, 4) {
        @Override
        protected OutputList newObject(Handle<OutputList> handle) {
          return new OutputList(handle);
        }
      };

  private final Recycler.Handle<OutputList> handle;

  /**
   * The messages. The first places are those that were used since {@link #newInstance}, and none of
   * them is null.
   */
  private @Nullable Object[] messages = new Object[FIRST_LENGTH];

  private int size;

  private OutputList(Recycler.Handle<OutputList> handle) {
    this.handle = handle;
  }

  /** Returns an empty list of the calling thread. */
  public static OutputList newInstance() {
    return RECYCLER.get();
  }

  /** Clears all places and returns the list to its thread, for the next {@link #newInstance}. */
  public void recycle() {
    clear();
    if (messages.length > MAX_KEPT_LENGTH) {
      messages = new Object[FIRST_LENGTH];
    }
    for (int i = 0; i < messages.length && messages[i] != null; i++) {
      messages[i] = null;
    }
    handle.recycle(this);
  }

  /** Returns whether an element was added or set since {@link #newInstance}. */
  public boolean insertSinceRecycled() {
    return messages[0] != null;
  }

  /**
   * Returns an element without a check of its index, for a caller that knows the size. The result
   * is undefined for an index beyond the size.
   */
  public Object getUnsafe(int index) {
    return messages[index];
  }

  @Override
  public Object get(int index) {
    return messages[Objects.checkIndex(index, size)];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void add(int index, Object element) {
    Objects.requireNonNull(element, "element");
    int shifted = size - Objects.checkIndex(index, size + 1);
    if (size == messages.length) {
      messages = Arrays.copyOf(messages, 2 * size);
    }
    if (shifted > 0) {
      System.arraycopy(messages, index, messages, index + 1, shifted);
    }
    messages[index] = element;
    size++;
    modCount++;
  }

  @Override
  public Object set(int index, Object element) {
    Objects.requireNonNull(element, "element");
    Object before = get(index);
    messages[index] = element;
    return before;
  }

  @Override
  public Object remove(int index) {
    Object removed = get(index);
    System.arraycopy(messages, index + 1, messages, index, size - index - 1);
    size--;
    modCount++;
    return removed;
  }

  /**
   * Clears the list. Its elements stay reachable until the list is recycled or their places are
   * used.
   */
  @Override
  public void clear() {
    size = 0;
    modCount++;
  }
}
