/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls every method of Netty 4.1's allocators and of Cistern's, of every kind, with every
 * combination of these arguments. Both must throw the same exceptions, or return buffers with the
 * same properties, before and after the buffer grows.
 */
@Tag("A13")
@Tag("A14")
@Unwatched("both sides alike: leaks are not compared")
class AllocatorDifferentialTest {
  private static final String ALLOCATOR = "buffer.ByteBufAllocator";

  private static final List<MethodPair> METHODS = MethodPair.of(ALLOCATOR, MethodPair::isInstance);

  private static final int[] CAPACITIES = {
    0, 1, 63, 64, 65, 255, 256, 257, 4096, 100_000, -1, Integer.MIN_VALUE
  };

  /** Capacities that are not allocated: they serve as a limit, or for a calculation. */
  private static final int[] LIMITS = {
    0,
    1,
    64,
    65,
    256,
    4096,
    5000,
    (4 << 20) - 1,
    4 << 20,
    (4 << 20) + 1,
    (8 << 20) + 3,
    Integer.MAX_VALUE - 1,
    Integer.MAX_VALUE,
    -1,
    Integer.MIN_VALUE
  };

  private static final int[] COMPONENTS = {1, 2, 16, 17, Integer.MAX_VALUE, 0, -1};

  @Test
  void everyMethodIsCompared() {
    assertThat(METHODS).hasSize(io.netty.buffer.ByteBufAllocator.class.getMethods().length);
  }

  @ParameterizedTest
  @EnumSource(AllocatorKind.class)
  void allocatesAsNettysAllocator(AllocatorKind kind) {
    List<String> differences = new ArrayList<>();
    for (MethodPair method : METHODS) {
      for (Object[] arguments : arguments(method)) {
        String theirs = outcome(method.theirs(), kind.allocator().theirs(), arguments);
        String ours = outcome(method.ours(), kind.allocator().ours(), arguments);
        if (!theirs.equals(ours)) {
          differences.add(
              method.name() + Arrays.toString(arguments) + ": theirs " + theirs + ", ours " + ours);
        }
      }
    }
    assertThat(differences).as(kind.name()).isEmpty();
  }

  private static List<Object[]> arguments(MethodPair method) {
    boolean isComposite = method.name().startsWith("composite");
    boolean isCalculation = method.name().equals("calculateNewCapacity");
    int[] first = isComposite ? COMPONENTS : isCalculation ? LIMITS : CAPACITIES;
    List<Object[]> arguments = new ArrayList<>();
    if (method.parameterCount() == 0) {
      arguments.add(new Object[0]);
    } else if (method.parameterCount() == 1) {
      Arrays.stream(first).forEach(one -> arguments.add(new Object[] {one}));
    } else {
      for (int one : first) {
        Arrays.stream(LIMITS).forEach(limit -> arguments.add(new Object[] {one, limit}));
      }
    }
    return arguments;
  }

  private static String outcome(
      java.lang.reflect.Method method, Object allocator, Object[] arguments) {
    MethodPair.Outcome outcome = MethodPair.call(method, allocator, arguments);
    if (outcome.value() instanceof io.netty.buffer.ByteBuf buffer) {
      String made = show(buffer, allocator);
      String grown = buffer.maxWritableBytes() > 0 ? show(buffer.writeByte(1), allocator) : "full";
      buffer.release();
      return made + ", then " + grown;
    } else if (outcome.value() instanceof ByteBuf buffer) {
      String made = show(buffer, allocator);
      String grown = buffer.maxWritableBytes() > 0 ? show(buffer.writeByte(1), allocator) : "full";
      buffer.release();
      return made + ", then " + grown;
    }
    return outcome.comparable();
  }

  private static String show(io.netty.buffer.ByteBuf buffer, Object allocator) {
    return show(
        buffer.isDirect(),
        buffer.readerIndex() + "/" + buffer.writerIndex() + "/" + buffer.capacity(),
        buffer.maxCapacity(),
        buffer.alloc() == allocator,
        buffer instanceof io.netty.buffer.CompositeByteBuf parts ? parts.maxNumComponents() : 0);
  }

  private static String show(ByteBuf buffer, Object allocator) {
    return show(
        buffer.isDirect(),
        buffer.readerIndex() + "/" + buffer.writerIndex() + "/" + buffer.capacity(),
        buffer.maxCapacity(),
        buffer.alloc() == allocator,
        buffer instanceof CompositeByteBuf parts ? parts.maxNumComponents() : 0);
  }

  private static String show(
      boolean isDirect, String indices, int maxCapacity, boolean isOfThis, int components) {
    return (isDirect ? "direct " : "heap ")
        + indices
        + "/"
        + maxCapacity
        + (isOfThis ? "" : " of another allocator")
        + (components == 0 ? "" : ", up to " + components + " components");
  }
}
