/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.GarbageCollection;
import dev.cistern.testing.TestLength;
import dev.cistern.util.concurrent.FastThreadLocal;
import dev.cistern.util.concurrent.FastThreadLocalThread;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the reuse of objects. */
@Tag("G2")
class RecyclerTest {
  /** A recycled object. */
  private static final class Item {
    final Recycler.Handle<Item> handle;
    final AtomicBoolean used = new AtomicBoolean();

    Item(Recycler.Handle<Item> handle) {
      this.handle = handle;
    }

    void recycle() {
      handle.recycle(this);
    }

    Recycler.EnhancedHandle<Item> enhanced() {
      return (Recycler.EnhancedHandle<Item>) handle;
    }
  }

  /** Recycler that counts the objects that it makes. */
  private static class Items extends Recycler<Item> {
    final AtomicInteger made = new AtomicInteger();

    Items(int capacity) {
      super(capacity, 0, 2);
    }

    Items(int capacity, int ratio, int chunkSize) {
      super(capacity, ratio, chunkSize);
    }

    @Override
    protected Item newObject(Handle<Item> handle) {
      made.incrementAndGet();
      return new Item(handle);
    }

    /** Returns the number of objects that the calling thread can get without making one. */
    int threadLocalSize() {
      ObjectStack<Item> stack = stacks.getIfExists();
      if (stack == null) {
        return 0;
      }
      int count = stack.size + (stack.front != null && stack.front.isFree ? 1 : 0);
      for (ObjectHandle<Item> freed = stack.freedByOthers; freed != null; freed = freed.next) {
        count += freed.claim == freed.turn ? 1 : 0;
      }
      return count;
    }

    List<Item> take(int count) {
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        items.add(get());
      }
      assertThat(distinct(items)).hasSize(count);
      return items;
    }
  }

  private static Set<Item> distinct(List<Item> items) {
    Set<Item> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    distinct.addAll(items);
    return distinct;
  }

  static Stream<Named<ThreadFactory>> threads() {
    return Stream.of(Named.of("fast", FastThreadLocalThread::new), Named.of("plain", Thread::new));
  }

  /** Runs a task on a new thread; returns when the thread has ended. */
  private static <T> T on(ThreadFactory threads, Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    Thread thread = threads.newThread(future);
    thread.start();
    T result = future.get();
    thread.join();
    return result;
  }

  private static void recycleAll(List<Item> items) {
    items.forEach(Item::recycle);
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aRecycledObjectIsUsedNext(ThreadFactory threads) throws Exception {
    Items recycler = new Items(8);
    on(
        threads,
        () -> {
          Item item = recycler.get();
          Item other = recycler.get();
          assertThat(other).isNotSameAs(item);
          item.recycle();
          assertThat(recycler.get()).isSameAs(item);
          item.enhanced().unguardedRecycle(item);
          assertThat(recycler.get()).isSameAs(item);
          return null;
        });
    assertThat(recycler.made).hasValue(2);
  }

  @ParameterizedTest
  @MethodSource("threads")
  void theCapacityIsNotExceededByItsOwner(ThreadFactory threads) throws Exception {
    for (int capacity : new int[] {1, 3, 100, 1000}) {
      Items recycler = new Items(capacity);
      on(
          threads,
          () -> {
            recycleAll(recycler.take(3 * capacity));
            assertThat(recycler.threadLocalSize()).isEqualTo(capacity);
            int before = recycler.made.get();
            recycleAll(recycler.take(3 * capacity));
            assertThat(recycler.made.get() - before).isEqualTo(2 * capacity);
            assertThat(recycler.threadLocalSize()).isEqualTo(capacity);
            return null;
          });
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void theCapacityIsNotExceededByOtherThreads(ThreadFactory threads) throws Exception {
    int capacity = 10;
    Items recycler = new Items(capacity);
    on(
        threads,
        () -> {
          for (int round = 0; round < 20; round++) {
            List<Item> mine = recycler.take(2 * capacity);
            List<Item> theirs = recycler.take(2 * capacity);
            on(
                threads,
                () -> {
                  recycleAll(theirs);
                  assertThat(recycler.threadLocalSize()).isZero();
                  return null;
                });
            recycleAll(mine);
            assertThat(recycler.threadLocalSize()).isLessThanOrEqualTo(capacity);
          }
          return null;
        });
  }

  @ParameterizedTest
  @MethodSource("threads")
  void objectsFreedByOtherThreadsAreReused(ThreadFactory threads) throws Exception {
    Items recycler = new Items(100);
    on(
        threads,
        () -> {
          List<Item> items = recycler.take(50);
          on(
              threads,
              () -> {
                recycleAll(items);
                return null;
              });
          assertThat(recycler.threadLocalSize()).isEqualTo(50);
          assertThat(distinct(recycler.take(50))).isEqualTo(distinct(items));
          assertThat(recycler.made).hasValue(50);
          return null;
        });
  }

  @Test
  void recyclingTwiceIsRefused() throws Exception {
    Items recycler = new Items(8);
    Item twiceHere = recycler.get();
    twiceHere.recycle();
    assertRefused(twiceHere);
    assertRefusedElsewhere(twiceHere);

    Item elsewhereFirst = recycler.get();
    on(
        Thread::new,
        () -> {
          elsewhereFirst.recycle();
          assertRefused(elsewhereFirst);
          return null;
        });
    assertRefusedElsewhere(elsewhereFirst);
    assertRefused(elsewhereFirst);

    // None of these calls added an object to the pool a second time.
    assertThat(recycler.threadLocalSize()).isEqualTo(1);
    assertThat(recycler.take(3)).contains(elsewhereFirst);
  }

  private static void assertRefused(Item item) {
    assertThatThrownBy(item::recycle).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> item.enhanced().unguardedRecycle(item))
        .isInstanceOf(IllegalStateException.class);
  }

  private static void assertRefusedElsewhere(Item item) throws Exception {
    on(
        Thread::new,
        () -> {
          assertRefused(item);
          return null;
        });
  }

  /**
   * Tests a thread that frees an object and is preempted before its claim, while the owner also
   * frees the object and takes it again. The late claim has no effect.
   */
  @Test
  void aLateClaimDoesNotRefuseTheOwner() {
    Items recycler = new Items(8);
    Item item = recycler.get();
    claimLate(recycler, item);
    assertThat(recycler.threadLocalSize()).isZero();
    item.recycle();
    assertRefused(item);
    assertThat(recycler.threadLocalSize()).isEqualTo(1);
    assertThat(recycler.take(3)).containsOnlyOnce(item);
  }

  @Test
  void aLateClaimDoesNotRefuseAnotherThread() throws Exception {
    Items recycler = new Items(8);
    Item item = recycler.get();
    claimLate(recycler, item);
    on(
        Thread::new,
        () -> {
          item.recycle();
          assertRefused(item);
          return null;
        });
    assertRefused(item);
    assertThat(recycler.threadLocalSize()).isEqualTo(1);
    assertThat(recycler.take(3)).containsOnlyOnce(item);
  }

  @Test
  void aLateClaimAfterThatOfAnotherThreadIsRefused() throws Exception {
    Items recycler = new Items(8);
    Item item = recycler.get();
    ObjectHandle<Item> handle = (ObjectHandle<Item>) item.handle;
    int seen = handle.turn;
    item.recycle();
    assertThat(recycler.get()).isSameAs(item);
    on(
        Thread::new,
        () -> {
          item.recycle();
          return null;
        });
    assertThatThrownBy(() -> handle.freeByOther(handle.home.get(), seen))
        .isInstanceOf(IllegalStateException.class);
    assertThat(recycler.take(3)).containsOnlyOnce(item);
  }

  /** Ends a turn of an object in use, as a thread would that was preempted during that turn. */
  private static void claimLate(Items recycler, Item item) {
    ObjectHandle<Item> handle = (ObjectHandle<Item>) item.handle;
    int seen = handle.turn;
    item.recycle();
    assertThat(recycler.get()).isSameAs(item);
    handle.freeByOther(handle.home.get(), seen);
  }

  @Test
  void anotherObjectIsRefused() {
    Items recycler = new Items(8);
    Item one = recycler.get();
    Item other = recycler.get();
    assertThatThrownBy(() -> one.handle.recycle(other))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> one.enhanced().unguardedRecycle(other))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(recycler.threadLocalSize()).isZero();
  }

  @Test
  void withoutACapacityNothingIsKept() {
    for (int capacity : new int[] {0, -1}) {
      Items recycler = new Items(capacity);
      Item item = recycler.get();
      item.recycle();
      assertThat(recycler.get()).isNotSameAs(item);
      assertThat(recycler.threadLocalSize()).isZero();
    }
  }

  @Tag("virtual-threads")
  @Test
  void aVirtualThreadKeepsNothing() throws Exception {
    ThreadFactory virtual = virtualThreads();
    Assumptions.assumeTrue(virtual != null, "no virtual threads before JDK 21");
    Items recycler = new Items(8);
    on(
        virtual,
        () -> {
          Item item = recycler.get();
          item.recycle();
          assertThat(recycler.threadLocalSize()).isZero();
          return assertThat(recycler.get()).isNotSameAs(item);
        });
  }

  /** Returns a factory of virtual threads, or null if this JDK has none. */
  private static @Nullable ThreadFactory virtualThreads() throws ReflectiveOperationException {
    if (Runtime.version().feature() < 21) {
      return null;
    }
    Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
    return (ThreadFactory)
        Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
  }

  @Test
  void oneNewObjectOfEachIntervalIsKept() {
    Items recycler = new Items(1000, 8, 32);
    recycleAll(recycler.take(81));
    assertThat(recycler.threadLocalSize()).isEqualTo(11);
  }

  @Test
  void aFailingNewObjectTakesNoPlace() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Items recycler =
        new Items(2) {
          @Override
          protected Item newObject(Handle<Item> handle) {
            if (fails.get()) {
              throw new IllegalStateException("not now");
            }
            return super.newObject(handle);
          }
        };
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(recycler::get).hasMessage("not now");
    }
    fails.set(false);
    recycleAll(recycler.take(2));
    assertThat(recycler.threadLocalSize()).isEqualTo(2);
  }

  @Test
  void newObjectsMayNeedEachOther() {
    List<Item> inner = new ArrayList<>();
    AtomicInteger depth = new AtomicInteger();
    Items recycler =
        new Items(2) {
          @Override
          protected Item newObject(Handle<Item> handle) {
            if (depth.getAndIncrement() < 5) {
              inner.add(get());
            }
            return super.newObject(handle);
          }
        };
    recycler.get().recycle();
    recycleAll(inner);
    assertThat(recycler.threadLocalSize()).isEqualTo(2);
  }

  @Test
  void lostObjectsDoNotOccupyPlacesForever() {
    int capacity = 10;
    Items recycler = new Items(capacity);
    WeakReference<Item> lost = new WeakReference<>(recycler.take(capacity).get(0));
    for (int i = 0; i < 16 * capacity; i++) {
      recycler.get().recycle(); // without a place, so it is not kept
    }
    awaitCollected(lost);
    recycleAll(recycler.take(capacity));
    assertThat(recycler.threadLocalSize()).isEqualTo(capacity);
  }

  @Test
  void anObjectThatItsUserLostIsNotKeptAlive() {
    Items recycler = new Items(10);
    recycleAll(recycler.take(3));
    WeakReference<Item> lost = new WeakReference<>(recycler.take(3).get(0));
    // Before the recycler makes the next object, it clears the places of objects in use.
    assertThat(recycler.take(1)).hasSize(1);
    awaitCollected(lost);
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aDeadThreadsObjectsAreNotKeptAlive(ThreadFactory threads) throws Exception {
    Items recycler = new Items(100);
    List<Item> stillUsed = new ArrayList<>();
    List<WeakReference<Item>> free = new ArrayList<>();
    Thread[] dead = new Thread[1];
    on(
        threads,
        () -> {
          dead[0] = Thread.currentThread();
          List<Item> items = recycler.take(20);
          stillUsed.addAll(items.subList(0, 10));
          items.subList(10, 20).forEach(item -> free.add(new WeakReference<>(item)));
          recycleAll(items.subList(10, 20));
          return null;
        });
    free.forEach(RecyclerTest::awaitCollected);
    // A late object is dropped as well, and a second release is still refused.
    WeakReference<Item> late = new WeakReference<>(stillUsed.get(0));
    recycleAll(stillUsed);
    assertRefused(stillUsed.get(1));
    Item held = stillUsed.get(1);
    stillUsed.clear();
    awaitCollected(late);
    assertThat(held.used).isFalse();
    assertThat(dead[0].isAlive()).isFalse();
  }

  @Test
  void removingAllVariablesEndsTheReuse() throws Exception {
    on(
        FastThreadLocalThread::new,
        () -> {
          Items recycler = new Items(10);
          Item before = recycler.get();
          FastThreadLocal.removeAll();
          before.recycle();
          assertRefused(before);
          assertThat(recycler.get()).isNotSameAs(before);
          return null;
        });
  }

  private static void awaitCollected(WeakReference<?> reference) {
    GarbageCollection.until(() -> reference.get() == null);
  }

  /**
   * Passes objects between threads, which free them or use them. No thread ever gets an object that
   * is in use.
   */
  @Test
  void anObjectIsNeverInUseTwice() throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    int operations = TestLength.choose(100_000, 300_000, 5_000_000);
    long limitMinutes = TestLength.choose(2, 2, 10);
    Items recycler = new Items(50);
    BlockingQueue<Item> wandering = new ArrayBlockingQueue<>(200);
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      FutureTask<Void> task =
          new FutureTask<>(
              () -> wander(recycler, wandering, new Random(seed + number), operations));
      (t % 2 == 0 ? new FastThreadLocalThread(task) : new Thread(task)).start();
      tasks.add(task);
    }
    for (FutureTask<Void> task : tasks) {
      assertThat(task.get(limitMinutes, TimeUnit.MINUTES)).as("seed %d", seed).isNull();
    }
    assertThat(recycler.made.get()).as("objects made, seed %d", seed).isLessThan(4 * operations);
  }

  private static Void wander(
      Items recycler, BlockingQueue<Item> wandering, Random random, int operations) {
    List<Item> mine = new ArrayList<>();
    for (int i = 0; i < operations; i++) {
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          Item item = recycler.get();
          assertThat(item.used.compareAndSet(false, true)).as("in use once").isTrue();
          if (!wandering.offer(item)) {
            mine.add(item);
          }
        }
        case 2 -> {
          Item item = wandering.poll();
          if (item != null) {
            free(item);
          }
        }
        default -> {
          if (!mine.isEmpty()) {
            free(mine.remove(random.nextInt(mine.size())));
          }
        }
      }
      assertThat(recycler.threadLocalSize()).isLessThanOrEqualTo(50);
    }
    return null;
  }

  private static void free(Item item) {
    assertThat(item.used.compareAndSet(true, false)).as("still in use").isTrue();
    item.recycle();
  }
}
