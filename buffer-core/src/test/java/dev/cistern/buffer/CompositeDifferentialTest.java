/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares Netty's composite with Cistern's under the same operations. These add, remove, merge and
 * cut components at random indices, some of them invalid. After each step both have the same bytes,
 * indices and components, and the buffers given to them have the same counts.
 */
class CompositeDifferentialTest {
  private static final int ROUNDS = TestLength.choose(120, 600, 20_000);
  private static final int STEPS = 60;

  private record Pair(io.netty.buffer.ByteBuf theirs, ByteBuf ours) {}

  private final List<Pair> given = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  private Random random;
  private io.netty.buffer.CompositeByteBuf theirs;
  private CompositeByteBuf ours;

  @Test
  @Tag("C3")
  void behavesAsNettysUnderRandomChanges() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("CompositeDifferentialTest: -Dcistern.seed=" + seed);
    for (int round = 0; round < ROUNDS; round++) {
      round(seed + round);
    }
  }

  private void round(long seed) {
    random = new Random(seed);
    given.clear();
    history.clear();
    int most = 1 + random.nextInt(12);
    theirs =
        new io.netty.buffer.CompositeByteBuf(
            io.netty.buffer.UnpooledByteBufAllocator.DEFAULT, false, most);
    ours = new CompositeByteBuf(TestAllocators.UNPOOLED, false, most);
    for (int step = 0; step < STEPS; step++) {
      step();
      bringIndicesBack();
      String state = seed + ": " + history;
      assertThat(shown(ours)).as("cistern.seed=%s", state).isEqualTo(shown(theirs));
      for (Pair pair : given) {
        assertThat(pair.ours.refCnt()).as("cistern.seed=%s", state).isEqualTo(pair.theirs.refCnt());
      }
    }
    theirs.release();
    ours.release();
    for (Pair pair : given) {
      assertThat(pair.ours.refCnt())
          .as("cistern.seed=%s: %s", seed, history)
          .isEqualTo(pair.theirs.refCnt())
          .isZero();
    }
  }

  /**
   * Resets indices beyond the end: a removal can leave them there, and Netty then checks them no
   * longer.
   */
  private void bringIndicesBack() {
    assertThat(ours.readerIndex()).isEqualTo(theirs.readerIndex());
    assertThat(ours.writerIndex()).isEqualTo(theirs.writerIndex());
    if (ours.writerIndex() > ours.capacity()) {
      theirs.setIndex(0, 0);
      ours.setIndex(0, 0);
    }
  }

  /** Returns a buffer with a random readable part: plain, a slice, a duplicate, or empty. */
  private Pair component() {
    int length = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(12);
    int before = random.nextInt(3);
    int after = random.nextInt(3);
    byte[] bytes = new byte[before + length + after];
    random.nextBytes(bytes);
    Pair pair =
        new Pair(
            io.netty.buffer.Unpooled.buffer(bytes.length).writeBytes(bytes),
            TestAllocators.UNPOOLED.heapBuffer(bytes.length).writeBytes(bytes));
    given.add(pair);
    int shape = random.nextInt(4);
    if (shape == 0) {
      return new Pair(
          pair.theirs.slice(before, length + after).writerIndex(length),
          pair.ours.slice(before, length + after).writerIndex(length));
    }
    pair.theirs.setIndex(before, before + length);
    pair.ours.setIndex(before, before + length);
    return shape == 1
        ? new Pair(pair.theirs.slice(), pair.ours.slice())
        : shape == 2 ? new Pair(pair.theirs.duplicate(), pair.ours.duplicate()) : pair;
  }

  private List<Pair> components() {
    List<Pair> several = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      several.add(component());
    }
    return several;
  }

  private void both(
      String what,
      Function<io.netty.buffer.CompositeByteBuf, Object> onTheirs,
      Function<CompositeByteBuf, Object> onOurs) {
    history.add(what);
    String outcomeOfTheirs;
    try {
      outcomeOfTheirs = show(onTheirs.apply(theirs));
    } catch (RuntimeException thrown) {
      // Netty throws one of these two exceptions for an index out of bounds.
      boolean isOutOfBounds =
          thrown instanceof NullPointerException || thrown instanceof IndexOutOfBoundsException;
      outcomeOfTheirs =
          (isOutOfBounds ? IndexOutOfBoundsException.class : thrown.getClass()).getSimpleName();
    }
    String outcome;
    try {
      outcome = show(onOurs.apply(ours));
    } catch (RuntimeException thrown) {
      outcome = thrown.getClass().getSimpleName();
    }
    assertThat(outcome).as("cistern.seed=%s", history).isEqualTo(outcomeOfTheirs);
  }

  private static String show(Object value) {
    if (value instanceof io.netty.buffer.CompositeByteBuf || value instanceof CompositeByteBuf) {
      return "itself";
    } else if (value instanceof io.netty.buffer.ByteBuf buffer) {
      return Arrays.toString(io.netty.buffer.ByteBufUtil.getBytes(buffer));
    } else if (value instanceof ByteBuf buffer) {
      return Arrays.toString(ByteBufUtil.getBytes(buffer));
    } else if (value instanceof List<?> list) {
      return list.stream().map(CompositeDifferentialTest::show).toList().toString();
    }
    return String.valueOf(value);
  }

  /** Returns an index that is mostly within the valid range, and sometimes slightly outside. */
  private int near(int limit) {
    return random.nextInt(limit + 2) - (random.nextInt(12) == 0 ? 1 : 0);
  }

  private void step() {
    boolean moves = random.nextBoolean();
    int at = near(ours.numComponents());
    int index = near(ours.capacity());
    int length = random.nextInt(4);
    switch (random.nextInt(22)) {
      case 0, 1, 2 -> {
        Pair added = component();
        both(
            "addComponent " + moves,
            t -> t.addComponent(moves, added.theirs),
            o -> o.addComponent(moves, added.ours));
      }
      case 3 -> {
        Pair added = component();
        both(
            "addComponent at " + at,
            t -> t.addComponent(moves, at, added.theirs),
            o -> o.addComponent(moves, at, added.ours));
      }
      case 4 -> addSeveral(moves, at);
      case 5 -> addFlattened(moves);
      case 6 -> both("remove " + at, t -> t.removeComponent(at), o -> o.removeComponent(at));
      case 7 ->
          both(
              "remove " + at + "+" + length,
              t -> t.removeComponents(at, length),
              o -> o.removeComponents(at, length));
      case 8 -> both("consolidate", t -> t.consolidate(), o -> o.consolidate());
      case 9 ->
          both(
              "consolidate " + at + "+" + length,
              t -> t.consolidate(at, length),
              o -> o.consolidate(at, length));
      case 10 -> both("discardRead", t -> t.discardReadBytes(), o -> o.discardReadBytes());
      case 11 ->
          both("discardComponents", t -> t.discardReadComponents(), o -> o.discardReadComponents());
      case 12 -> both("discardSome", t -> t.discardSomeReadBytes(), o -> o.discardSomeReadBytes());
      case 13 -> both("capacity " + index, t -> t.capacity(index), o -> o.capacity(index));
      case 14 ->
          both(
              "decompose " + index + "+" + length * 4,
              t -> t.decompose(index, length * 4),
              o -> o.decompose(index, length * 4));
      case 15 ->
          both(
              "toComponent " + index,
              t -> t.toComponentIndex(index),
              o -> o.toComponentIndex(index));
      case 16 -> both("toByte " + at, t -> t.toByteIndex(at), o -> o.toByteIndex(at));
      case 17 -> both("component " + at, t -> t.component(at), o -> o.component(at));
      case 18 -> both("internal " + at, t -> t.internalComponent(at), o -> o.internalComponent(at));
      case 19 ->
          both(
              "componentAt " + index,
              t -> t.componentAtOffset(index),
              o -> o.componentAtOffset(index));
      default -> {
        int writer = random.nextInt(ours.capacity() + 1);
        int reader = random.nextInt(writer + 1);
        both("index", t -> t.setIndex(reader, writer), o -> o.setIndex(reader, writer));
      }
    }
  }

  /**
   * Adds buffers at a valid index, because Netty does not release an array of buffers if the index
   * is invalid.
   */
  private void addSeveral(boolean moves, int place) {
    int at = Math.max(0, Math.min(place, ours.numComponents()));
    List<Pair> several = components();
    io.netty.buffer.ByteBuf[] theirArray =
        several.stream().map(Pair::theirs).toArray(io.netty.buffer.ByteBuf[]::new);
    ByteBuf[] ourArray = several.stream().map(Pair::ours).toArray(ByteBuf[]::new);
    switch (random.nextInt(4)) {
      case 0 ->
          both(
              "array",
              t -> t.addComponents(moves, theirArray),
              o -> o.addComponents(moves, ourArray));
      case 1 ->
          both(
              "array " + at,
              t -> t.addComponents(at, theirArray),
              o -> o.addComponents(at, ourArray));
      case 2 ->
          both(
              "list " + at,
              t -> t.addComponents(at, Arrays.asList(theirArray)),
              o -> o.addComponents(at, Arrays.asList(ourArray)));
      default ->
          both(
              "list",
              t -> t.addComponents(moves, Arrays.asList(theirArray)),
              o -> o.addComponents(moves, Arrays.asList(ourArray)));
    }
  }

  private void addFlattened(boolean moves) {
    io.netty.buffer.CompositeByteBuf theirOther =
        io.netty.buffer.UnpooledByteBufAllocator.DEFAULT.compositeHeapBuffer();
    CompositeByteBuf ourOther = new CompositeByteBuf(TestAllocators.UNPOOLED, false, 16);
    for (Pair pair : components()) {
      theirOther.addComponent(true, pair.theirs);
      ourOther.addComponent(true, pair.ours);
    }
    int writer = random.nextInt(ourOther.capacity() + 1);
    int reader = random.nextInt(writer + 1);
    theirOther.setIndex(reader, writer);
    ourOther.setIndex(reader, writer);
    both(
        "flattened " + ourOther,
        t -> t.addFlattenedComponents(moves, theirOther),
        o -> o.addFlattenedComponents(moves, ourOther));
  }

  private static String shown(io.netty.buffer.CompositeByteBuf buffer) {
    byte[] all = new byte[buffer.capacity()];
    buffer.getBytes(0, all);
    List<String> components = new ArrayList<>();
    buffer.forEach(
        component ->
            components.add(Arrays.toString(io.netty.buffer.ByteBufUtil.getBytes(component))));
    return buffer + Arrays.toString(all) + components + buffer.nioBufferCount();
  }

  private static String shown(CompositeByteBuf buffer) {
    byte[] all = new byte[buffer.capacity()];
    buffer.getBytes(0, all);
    List<String> components = new ArrayList<>();
    buffer.forEach(component -> components.add(Arrays.toString(ByteBufUtil.getBytes(component))));
    return buffer + Arrays.toString(all) + components + buffer.nioBufferCount();
  }
}
