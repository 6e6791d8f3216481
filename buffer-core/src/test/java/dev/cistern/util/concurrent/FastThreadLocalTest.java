/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.GarbageCollection;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of thread-local variables, on each kind of thread. */
@Tag("G1")
@Tag("virtual-threads")
class FastThreadLocalTest {
  /** Returns the kinds of threads. */
  static Stream<Named<ThreadFactory>> threads() {
    Stream<Named<ThreadFactory>> known =
        Stream.of(
            Named.of("fast", FastThreadLocalThread::new),
            Named.of("fast, own run()", FastThreadLocalTest::withOwnRun),
            Named.of("plain", Thread::new));
    ThreadFactory virtual = virtualThreads();
    return virtual == null ? known : Stream.concat(known, Stream.of(Named.of("virtual", virtual)));
  }

  private static Thread withOwnRun(Runnable task) {
    return new FastThreadLocalThread("own run()") {
      @Override
      public void run() {
        task.run();
      }
    };
  }

  /** Returns a factory of virtual threads, or null if this JDK has none. */
  private static @Nullable ThreadFactory virtualThreads() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> builderType = Class.forName("java.lang.Thread$Builder");
      return (ThreadFactory) builderType.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException olderThan21) {
      assertThat(Runtime.version().feature()).isLessThan(21);
      return null;
    }
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

  /** Variable that counts its initial values, and stores the removed ones. */
  private static final class Counting extends FastThreadLocal<String> {
    private int initialized;
    private final List<String> removed = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected String initialValue() {
      return "initial " + ++initialized;
    }

    @Override
    protected void onRemoval(String value) {
      removed.add(value);
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aValueExistsFromItsFirstUseToItsRemoval(ThreadFactory threads) throws Exception {
    Counting variable = new Counting();
    on(
        threads,
        () -> {
          assertThat(variable.isSet()).isFalse();
          assertThat(variable.getIfExists()).isNull();
          assertThat(variable.get()).isEqualTo("initial 1");
          assertThat(variable.get()).isEqualTo("initial 1");
          assertThat(variable.isSet()).isTrue();
          assertThat(FastThreadLocal.size()).isEqualTo(1);
          variable.set("mine");
          assertThat(variable.getIfExists()).isEqualTo("mine");
          assertThat(variable.getAndSet("next")).isEqualTo("mine");
          variable.remove();
          variable.remove();
          assertThat(variable.removed).containsExactly("next");
          assertThat(variable.isSet()).isFalse();
          assertThat(FastThreadLocal.size()).isZero();
          assertThat(variable.getAndSet("again")).isNull();
          return variable.get();
        });
  }

  @ParameterizedTest
  @MethodSource("threads")
  void nullIsAValue(ThreadFactory threads) throws Exception {
    FastThreadLocal<@Nullable Object> variable = new FastThreadLocal<>();
    on(
        threads,
        () -> {
          assertThat(variable.isSet()).isFalse();
          assertThat(variable.get()).isNull();
          assertThat(variable.isSet()).isTrue();
          variable.remove();
          variable.set(null);
          assertThat(variable.isSet()).isTrue();
          assertThat(FastThreadLocal.size()).isEqualTo(1);
          FastThreadLocal.removeAll();
          return variable.isSet();
        });
  }

  @ParameterizedTest
  @MethodSource("threads")
  void eachThreadHasItsOwnValue(ThreadFactory threads) throws Exception {
    FastThreadLocal<String> variable = new FastThreadLocal<>();
    variable.set("here");
    try {
      assertThat(on(threads, variable::isSet)).isFalse();
      on(
          threads,
          () -> {
            variable.set("there");
            return variable.get();
          });
      assertThat(variable.get()).isEqualTo("here");
    } finally {
      variable.remove();
    }
  }

  @ParameterizedTest
  @MethodSource("threads")
  void manyVariablesDoNotDisturbEachOther(ThreadFactory threads) throws Exception {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    List<FastThreadLocal<@Nullable Integer>> ours = new ArrayList<>();
    List<io.netty.util.concurrent.FastThreadLocal<Integer>> theirs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      ours.add(new FastThreadLocal<>());
      theirs.add(new io.netty.util.concurrent.FastThreadLocal<>());
    }
    on(
        threads,
        () -> {
          Random random = new Random(seed);
          for (int i = 0; i < 20_000; i++) {
            int which = random.nextInt(ours.size());
            assertThat(step(ours.get(which), theirs.get(which), random))
                .as("seed %d, step %d", seed, i)
                .isTrue();
          }
          assertThat(FastThreadLocal.size())
              .isEqualTo((int) ours.stream().filter(FastThreadLocal::isSet).count());
          FastThreadLocal.removeAll();
          assertThat(FastThreadLocal.size()).isZero();
          io.netty.util.concurrent.FastThreadLocal.removeAll();
          return ours.stream().noneMatch(FastThreadLocal::isSet);
        });
  }

  /** Makes one call on both variables; returns whether they agree. */
  private static boolean step(
      FastThreadLocal<@Nullable Integer> ours,
      io.netty.util.concurrent.FastThreadLocal<Integer> theirs,
      Random random) {
    Integer value = random.nextInt(4) == 0 ? null : (Integer) random.nextInt();
    switch (random.nextInt(6)) {
      case 0 -> {
        ours.set(value);
        theirs.set(value);
      }
      case 1 -> {
        ours.remove();
        theirs.remove();
      }
      case 2 -> {
        return ours.get() == null ? theirs.get() == null : ours.get().equals(theirs.get());
      }
      case 3 -> {
        return Objects.equals(ours.getIfExists(), theirs.getIfExists());
      }
      case 4 -> {
        return Objects.equals(ours.getAndSet(value), theirs.getAndSet(value));
      }
      default -> {
        return ours.isSet() == theirs.isSet();
      }
    }
    return true;
  }

  @ParameterizedTest
  @MethodSource("threads")
  void allAreRemovedAlsoWhenOneFails(ThreadFactory threads) throws Exception {
    Counting one = new Counting();
    FastThreadLocal<String> failing =
        new FastThreadLocal<>() {
          @Override
          protected void onRemoval(String value) throws IOException {
            one.set("set while all are removed");
            throw new IOException(value);
          }
        };
    Counting other = new Counting();
    on(
        threads,
        () -> {
          one.set("a");
          failing.set("b");
          other.set("c");
          assertThatThrownBy(FastThreadLocal::removeAll)
              .isInstanceOf(IOException.class)
              .hasMessage("b");
          assertThat(one.removed).containsExactly("a");
          assertThat(other.removed).containsExactly("c");
          assertThat(FastThreadLocal.size()).isZero();
          return null;
        });
  }

  @ParameterizedTest
  @MethodSource("threads")
  void anInitialValueMayUseOtherVariables(ThreadFactory threads) throws Exception {
    List<FastThreadLocal<String>> others = new ArrayList<>();
    FastThreadLocal<String> variable =
        new FastThreadLocal<>() {
          @Override
          protected String initialValue() {
            // More variables than a thread's first array can hold.
            for (int i = 0; i < 100; i++) {
              FastThreadLocal<String> another = new FastThreadLocal<>();
              another.set("other " + i);
              others.add(another);
            }
            return "first";
          }
        };
    on(
        threads,
        () -> {
          assertThat(variable.get()).isEqualTo("first");
          assertThat(variable.getIfExists()).isEqualTo("first");
          assertThat(others.get(99).get()).isEqualTo("other 99");
          return null;
        });
  }

  @Test
  void aFailingInitialValueLeavesNoneBehind() {
    FastThreadLocal<String> variable =
        new FastThreadLocal<>() {
          @Override
          protected String initialValue() throws IOException {
            throw new IOException("not now");
          }
        };
    assertThatThrownBy(variable::get).isInstanceOf(IOException.class).hasMessage("not now");
    assertThat(variable.isSet()).isFalse();
  }

  @Test
  void aThreadThatWasGivenItsTaskRemovesAllAtItsEnd() throws Exception {
    Counting variable = new Counting();
    on(FastThreadLocalThread::new, variable::get);
    assertThat(variable.removed).containsExactly("initial 1");
    on(FastThreadLocalTest::withOwnRun, variable::get);
    on(Thread::new, variable::get);
    assertThat(variable.removed).containsExactly("initial 1");
  }

  @Test
  void aThreadReportsWhetherItRemovesAllAtItsEnd() {
    Runnable nothing = () -> {};
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    for (FastThreadLocalThread given :
        List.of(
            new FastThreadLocalThread(nothing),
            new FastThreadLocalThread(group, nothing),
            new FastThreadLocalThread(nothing, "name"),
            new FastThreadLocalThread(group, nothing, "name"),
            new FastThreadLocalThread(group, nothing, "name", 1 << 20))) {
      assertThat(given.willCleanupFastThreadLocals()).isTrue();
      assertThat(FastThreadLocalThread.willCleanupFastThreadLocals(given)).isTrue();
      assertThat(given.permitBlockingCalls()).isFalse();
      assertThat(given.getThreadGroup()).isSameAs(group);
    }
    for (FastThreadLocalThread own :
        List.of(
            new FastThreadLocalThread(),
            new FastThreadLocalThread("name"),
            new FastThreadLocalThread(group, "name"))) {
      assertThat(own.willCleanupFastThreadLocals()).isFalse();
    }
    assertThat(FastThreadLocalThread.willCleanupFastThreadLocals(new Thread())).isFalse();
    assertThatThrownBy(() -> new FastThreadLocalThread((Runnable) null))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void destroyForgetsThePlainThreadsValuesOnly() throws Exception {
    Counting variable = new Counting();
    on(
        Thread::new,
        () -> {
          variable.set("plain");
          FastThreadLocal.destroy();
          return assertThat(variable.isSet()).isFalse();
        });
    on(
        FastThreadLocalTest::withOwnRun,
        () -> {
          variable.set("fast");
          FastThreadLocal.destroy();
          return assertThat(variable.get()).isEqualTo("fast");
        });
    assertThat(variable.removed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("threads")
  void aValueDoesNotOutliveItsThread(ThreadFactory threads) throws Exception {
    FastThreadLocal<Object> variable = new FastThreadLocal<>();
    WeakReference<Object> value =
        on(
            threads,
            () -> {
              variable.set(new Object());
              return new WeakReference<>(variable.get());
            });
    GarbageCollection.until(() -> value.get() == null);
    assertThat(variable.isSet()).isFalse();
  }
}
