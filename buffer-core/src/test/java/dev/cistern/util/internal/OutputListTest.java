/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cistern.testing.GarbageCollection;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the list of decoded messages. */
@Tag("D7")
class OutputListTest {
  @Test
  void isAListLikeAnyOther() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    OutputList list = OutputList.newInstance();
    List<Object> model = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int at = random.nextInt(model.size() + 1);
      switch (random.nextInt(model.size() > 100 ? 6 : 5)) {
        case 0, 1 -> {
          assertThat(list.add(i)).isTrue();
          model.add(i);
        }
        case 2 -> {
          list.add(at, i);
          model.add(at, i);
        }
        case 3 -> {
          if (at < model.size()) {
            assertThat(list.set(at, i)).as("seed %d", seed).isEqualTo(model.set(at, i));
          }
        }
        case 4 -> {
          if (at < model.size()) {
            assertThat(list.remove(at)).as("seed %d", seed).isEqualTo(model.remove(at));
          }
        }
        default -> {
          list.clear();
          model.clear();
        }
      }
      assertThat(list.size()).as("seed %d, step %d", seed, i).isEqualTo(model.size());
      if (at < model.size()) {
        assertThat(list.get(at)).isEqualTo(model.get(at));
        assertThat(list.getUnsafe(at)).isEqualTo(model.get(at));
      }
    }
    assertThat(list).as("seed %d", seed).isEqualTo(model);
    list.recycle();
  }

  @Test
  void refusesNullAndIndicesThatAreNotThere() {
    OutputList list = OutputList.newInstance();
    list.add("one");
    assertThatThrownBy(() -> list.add(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> list.add(0, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> list.set(0, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> list.add(2, "two")).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.set(1, "two")).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.remove(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(list).containsExactly("one");
    list.recycle();
  }

  @Test
  void clearingKeepsThePlacesAndRecyclingEmptiesThem() {
    OutputList list = OutputList.newInstance();
    assertThat(list.insertSinceRecycled()).isFalse();
    Object message = new Object();
    WeakReference<Object> reference = new WeakReference<>(message);
    list.add(message);
    list.clear();
    assertThat(list).isEmpty();
    assertThat(list.getUnsafe(0)).isSameAs(message);
    assertThat(list.insertSinceRecycled()).isTrue();
    list.add("in its place");
    list.add(message);
    list.remove(1); // stays in the array beyond the end
    list.recycle();

    OutputList next = OutputList.newInstance();
    assertThat(next).isSameAs(list).isEmpty();
    assertThat(next.insertSinceRecycled()).isFalse();
    assertThat(next.getUnsafe(0)).isNull();
    message = null;
    GarbageCollection.until(() -> reference.get() == null);
    next.recycle();
  }

  @Test
  void cannotBeRecycledTwice() {
    OutputList list = OutputList.newInstance();
    list.recycle();
    assertThatThrownBy(list::recycle).isInstanceOf(IllegalStateException.class);
    OutputList first = OutputList.newInstance();
    OutputList second = OutputList.newInstance();
    assertThat(first).isNotSameAs(second);
    first.recycle();
    second.recycle();
  }

  @Test
  void anIterationNoticesAChange() {
    OutputList list = OutputList.newInstance();
    list.add("one");
    list.add("two");
    Iterator<Object> iterator = list.iterator();
    iterator.next();
    list.add("three");
    assertThatThrownBy(iterator::next).isInstanceOf(ConcurrentModificationException.class);
    list.recycle();
  }

  @Test
  void aListThatWasVeryLongFreesItsPlaces() {
    OutputList list = OutputList.newInstance();
    for (int i = 0; i < 10_000; i++) {
      list.add(i);
    }
    list.recycle();
    OutputList next = OutputList.newInstance();
    assertThat(next).isSameAs(list);
    assertThatThrownBy(() -> next.getUnsafe(9_999)).isInstanceOf(IndexOutOfBoundsException.class);
    next.recycle();
  }
}
