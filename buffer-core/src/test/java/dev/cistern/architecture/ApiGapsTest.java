/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the comparison finds each kind of gap, and reports none between equal types. */
class ApiGapsTest {
  /** Stand-in for a type of Netty. */
  @SuppressWarnings("unused")
  public abstract static class Whole<T> implements Closeable {
    public static final int LIMIT = 3;
    protected int count;

    public Whole(int start) {}

    public abstract void wanted(List<String> items);

    public T item() {
      return null;
    }

    public Number number() throws IOException {
      return 1;
    }

    protected void hook() {}

    public static void helper() {}

    @Deprecated
    public void old() {}

    @Override
    public void close() {}
  }

  /** A type that differs from {@link Whole} in as many ways as possible. */
  @SuppressWarnings("unused")
  public abstract static class Torn {
    public static final int LIMIT = 4;
    protected final int count = 0;

    public Torn(long start) {}

    public abstract void wanted(Iterable<String> items);

    public Object item() {
      return null;
    }

    public Integer number() throws Exception {
      return 1;
    }

    public final void hook() {}

    public void helper() {}

    abstract void inside();
  }

  @Test
  void findsNoGapBetweenEqualTypes() {
    assertThat(ApiGaps.between(Whole.class, Whole.class)).isEmpty();
  }

  @Test
  void findsEachSort() {
    String name = ApiScope.shortened(Whole.class.getName());
    assertThat(ApiGaps.between(Whole.class, Torn.class))
        .containsExactlyInAnyOrder(
            name + ": is no AutoCloseable",
            name + ": is no java.io.Closeable",
            name + ": type variables",
            name + ".LIMIT: value 4",
            name + ".close(): missing",
            name + ".count: final or not",
            name + ".helper(): static or not",
            name + ".hook(): is final",
            name + ".hook(): public or protected",
            name + ".inside(): abstract, and hidden from implementations",
            name + ".item(): generic signature",
            name + ".new(int): missing",
            name + ".number(): throws more",
            name + ".wanted(Iterable): new and abstract",
            name + ".wanted(java.util.List): missing");
    assertThat(ApiGaps.between(Whole.class, null)).containsExactly(name + ": missing");
  }
}
