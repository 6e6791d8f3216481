/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A variable of which each thread has its own value. A {@link FastThreadLocalThread} finds the
 * value by an index, without hashing; any other thread finds it through a {@link ThreadLocal}.
 *
 * <p>An index is never used again, so this class is for variables that exist as long as the
 * process.
 *
 * @param <V> the type of the values
 */
public class FastThreadLocal<V extends @Nullable Object> {
  private static final AtomicInteger VARIABLES = new AtomicInteger();

  /** The index of the slot of the value. The next slot contains the variable itself. */
  private final int index;

  /**
   * Creates a variable without values.
   *
   * @throws ArithmeticException if 2^30 variables were created before
   */
  public FastThreadLocal() {
    index = Math.multiplyExact(2, VARIABLES.getAndIncrement());
  }

  /**
   * Returns the calling thread's value. If the thread has none yet, this is {@link #initialValue}.
   */
  public final V get() {
    Object value = slot();
    return value == ThreadSlots.UNSET ? initializeSlow() : typed(value);
  }

  private @Nullable Object slot() {
    @Nullable Object[] slots = ThreadSlots.current();
    return index < slots.length ? slots[index] : ThreadSlots.UNSET;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // only set() writes to this variable's slot
  private V typed(@Nullable Object value) {
    return (V) value;
  }

  private V initializeSlow() {
    V value;
    try {
      value = initialValue();
    } catch (Throwable failure) {
      throw FastThreadLocal.<RuntimeException>rethrow(failure);
    }
    set(value);
    return value;
  }

  /**
   * Returns the calling thread's value, or null if it has none. Does not call {@link
   * #initialValue}.
   */
  public final @Nullable V getIfExists() {
    Object value = slot();
    return value == ThreadSlots.UNSET ? null : typed(value);
  }

  /** Sets the calling thread's value. */
  public final void set(V value) {
    @Nullable Object[] slots = ThreadSlots.currentSlow(index);
    slots[index + 1] = this;
    slots[index] = value;
  }

  /** Sets the calling thread's value. Returns the previous one, or null. */
  public @Nullable V getAndSet(V value) {
    V before = getIfExists();
    set(value);
    return before;
  }

  /** Returns whether the calling thread has a value. */
  public final boolean isSet() {
    return slot() != ThreadSlots.UNSET;
  }

  /** Removes the calling thread's value, if it has one, and calls {@link #onRemoval}. */
  public final void remove() {
    Object value = slot();
    if (value == ThreadSlots.UNSET) {
      return;
    }
    @Nullable Object[] slots = ThreadSlots.current();
    slots[index] = ThreadSlots.UNSET;
    slots[index + 1] = null;
    try {
      onRemoval(typed(value));
    } catch (Throwable failure) {
      throw FastThreadLocal.<RuntimeException>rethrow(failure);
    }
  }

  /**
   * Removes all variables of the calling thread. Calls each {@link #onRemoval}, even after one that
   * failed. Then throws the first failure, with the later ones suppressed.
   */
  public static void removeAll() {
    Throwable failure = null;
    @Nullable Object[] slots = ThreadSlots.current();
    for (int i = 1; i < slots.length; i += 2) {
      if (slots[i] instanceof FastThreadLocal<?> variable) {
        try {
          variable.remove();
        } catch (Throwable another) {
          if (failure == null) {
            failure = another;
          } else if (failure != another) {
            failure.addSuppressed(another);
          }
        }
      }
    }
    ThreadSlots.drop();
    if (failure != null) {
      throw FastThreadLocal.<RuntimeException>rethrow(failure);
    }
  }

  /** Returns the number of variables of which the calling thread has a value. */
  public static int size() {
    int size = 0;
    @Nullable Object[] slots = ThreadSlots.current();
    for (int i = 1; i < slots.length; i += 2) {
      if (slots[i] != null) {
        size++;
      }
    }
    return size;
  }

  /**
   * Removes all variables of the calling thread, without {@link #onRemoval}, unless it is a {@link
   * FastThreadLocalThread}. This is for threads that outlive the application.
   */
  public static void destroy() {
    ThreadSlots.OF_PLAIN_THREADS.remove();
  }

  /**
   * Returns the initial value for a thread; null by default.
   *
   * @throws Exception if the method fails; the caller of {@link #get} receives the exception
   */
  @SuppressWarnings("NullAway") // as in Netty: for types that are never null, override it
  protected V initialValue() throws Exception {
    return null;
  }

  /**
   * Receives the value after its removal, on the thread of the value. The end of a plain thread
   * does not call this method.
   *
   * @throws Exception if the method fails; the caller of {@link #remove} receives the exception
   */
  protected void onRemoval(V value) throws Exception {}

  /** Throws a checked exception from a method that declares none. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException rethrow(Throwable failure) throws T {
    throw (T) failure;
  }
}
