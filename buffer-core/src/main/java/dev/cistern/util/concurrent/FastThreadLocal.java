/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A variable of which each thread has its own value. On a {@link FastThreadLocalThread} it is found
 * by an index, without hashing; on any other thread it works as well, by way of a {@link
 * ThreadLocal} (seed row G1).
 *
 * <p>Indices are never used again: this is for variables that live as long as the process.
 *
 * @param <V> the type of the values
 */
public class FastThreadLocal<V extends @Nullable Object> {
  /** Two slots each; the limit leaves room for the growth of a thread's array. */
  private static final int MAX_VARIABLES = 1 << 28;

  private static final AtomicInteger VARIABLES = new AtomicInteger();

  /** Of the value; the variable itself is in the slot after it. */
  private final int index;

  /**
   * A variable without values.
   *
   * @throws IllegalStateException if 2^28 were made before
   */
  public FastThreadLocal() {
    int number = VARIABLES.getAndIncrement();
    if (number < 0 || number >= MAX_VARIABLES) {
      VARIABLES.decrementAndGet();
      throw new IllegalStateException("thread-local variables: " + MAX_VARIABLES + " (the limit)");
    }
    index = 2 * number;
  }

  /** The calling thread's value; the {@link #initialValue initial one} if it has none yet. */
  public final V get() {
    @Nullable Object[] slots = ThreadSlots.current();
    if (index < slots.length) {
      Object value = slots[index];
      if (value != ThreadSlots.UNSET) {
        return typed(value);
      }
    }
    return initializeSlow();
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
      throw FastThreadLocal.<RuntimeException>asItIs(failure);
    }
    set(value);
    return value;
  }

  /** The calling thread's value, null if it has none; nothing is initialized. */
  public final @Nullable V getIfExists() {
    @Nullable Object[] slots = ThreadSlots.current();
    if (index < slots.length) {
      Object value = slots[index];
      if (value != ThreadSlots.UNSET) {
        return typed(value);
      }
    }
    return null;
  }

  /** Sets the calling thread's value. */
  public final void set(V value) {
    @Nullable Object[] slots = ThreadSlots.currentSlow(index);
    slots[index + 1] = this;
    slots[index] = value;
  }

  /** Sets the calling thread's value, and returns the one before; null if there was none. */
  public @Nullable V getAndSet(V value) {
    V before = getIfExists();
    set(value);
    return before;
  }

  /** Whether the calling thread has a value. */
  public final boolean isSet() {
    @Nullable Object[] slots = ThreadSlots.current();
    return index < slots.length && slots[index] != ThreadSlots.UNSET;
  }

  /** Takes the calling thread's value away, if it has one, and tells {@link #onRemoval}. */
  public final void remove() {
    @Nullable Object[] slots = ThreadSlots.current();
    if (index >= slots.length || slots[index] == ThreadSlots.UNSET) {
      return;
    }
    Object value = slots[index];
    slots[index] = ThreadSlots.UNSET;
    slots[index + 1] = null;
    try {
      onRemoval(typed(value));
    } catch (Throwable failure) {
      throw FastThreadLocal.<RuntimeException>asItIs(failure);
    }
  }

  /**
   * Removes all variables of the calling thread. Each {@link #onRemoval} is called, also after one
   * that failed; the first failure is thrown in the end, with the others suppressed.
   */
  public static void removeAll() {
    Throwable failure = null;
    @Nullable Object[] slots = ThreadSlots.current();
    for (int i = 1; i < slots.length; i += 2) {
      if (slots[i] instanceof FastThreadLocal<?> variable) {
        try {
          variable.remove();
        } catch (Throwable another) {
          failure = failure == null ? another : with(failure, another);
        }
      }
    }
    ThreadSlots.drop();
    if (failure != null) {
      throw FastThreadLocal.<RuntimeException>asItIs(failure);
    }
  }

  private static Throwable with(Throwable failure, Throwable another) {
    if (another != failure) {
      failure.addSuppressed(another);
    }
    return failure;
  }

  /** The number of variables of which the calling thread has a value. */
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
   * Forgets what the calling thread has set while it was no {@link FastThreadLocalThread}, without
   * {@link #onRemoval}: for threads that outlive the application.
   */
  public static void destroy() {
    ThreadSlots.dropOfPlainThread();
  }

  /**
   * The value of a thread that has none; null unless overridden.
   *
   * @throws Exception passed on to who asked for the value
   */
  @SuppressWarnings("NullAway") // as in Netty: for types that are never null, override it
  protected V initialValue() throws Exception {
    return null;
  }

  /**
   * Called by the thread whose value was removed. When a plain thread ends, nobody calls it.
   *
   * @throws Exception passed on to who removed the value
   */
  protected void onRemoval(V value) throws Exception {}

  /** Lets a checked exception pass through a method that declares none. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException asItIs(Throwable failure) throws T {
    throw (T) failure;
  }
}
