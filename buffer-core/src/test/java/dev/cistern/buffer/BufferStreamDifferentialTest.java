/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the streams over buffers of Netty 4.1 and Cistern: every constructor with every
 * combination of arguments, and random calls of every method.
 */
@Tag("B11")
@Unwatched("both sides alike: some constructors release the buffer, others do not")
class BufferStreamDifferentialTest {
  private static final int[] LENGTHS = {0, 1, 19, 20, 21, Integer.MAX_VALUE, -1, Integer.MIN_VALUE};
  private static final int STREAMS = 2_000;
  private static final int CALLS_PER_STREAM = 20;
  private static final int BYTES = 20;

  /** Kinds of buffers that a stream gets; null for no buffer. */
  private static final TwinKind[] KINDS = {
    null,
    TwinKind.UNPOOLED_HEAP,
    TwinKind.POOLED_DIRECT,
    TwinKind.COMPOSITE,
    TwinKind.READ_ONLY_HEAP,
    TwinKind.SWAPPED_HEAP,
    TwinKind.EMPTY
  };

  @ParameterizedTest
  @ValueSource(strings = {"buffer.ByteBufInputStream", "buffer.ByteBufOutputStream"})
  void constructorsCheckTheirArgumentsAsNettys(String type) throws Exception {
    Constructor<?>[] constructors = Both.their(type).getConstructors();
    assertThat(constructors).hasSizeGreaterThan(1);
    List<String> differences = new ArrayList<>();
    for (Constructor<?> theirs : constructors) {
      Class<?>[] types =
          Arrays.stream(theirs.getParameterTypes()).map(Both::ourType).toArray(Class<?>[]::new);
      Constructor<?> ours = Both.our(type).getConstructor(types);
      for (TwinKind kind : KINDS) {
        for (boolean isReleased : new boolean[] {false, true}) {
          for (Object[] more : arguments(types)) {
            Both buffer = buffer(kind, isReleased);
            String their = construct(theirs, buffer.theirs(), more);
            String our = construct(ours, buffer.ours(), more);
            if (!their.equals(our)) {
              differences.add(
                  "%s released %s %s: theirs %s, ours %s"
                      .formatted(kind, isReleased, Arrays.toString(more), their, our));
            }
            Twin.free(buffer);
          }
        }
      }
    }
    assertThat(differences).isEmpty();
  }

  private static Both buffer(TwinKind kind, boolean isReleased) {
    if (kind == null) {
      return Both.same(null);
    }
    byte[] bytes = new byte[kind == TwinKind.EMPTY ? 0 : BYTES];
    Both buffer = kind.twin(bytes, new SplittableRandom(1)).both();
    if (isReleased) {
      Twin.free(buffer);
    }
    return buffer;
  }

  /** Returns the combinations of the arguments after the buffer. */
  private static List<Object[]> arguments(Class<?>[] types) {
    Stream<Object[]> arguments = Stream.<Object[]>of(new Object[0]);
    for (Class<?> type : Arrays.asList(types).subList(1, types.length)) {
      Object[] values =
          type == int.class ? Arrays.stream(LENGTHS).boxed().toArray() : new Object[] {true, false};
      arguments =
          arguments.flatMap(before -> Arrays.stream(values).map(value -> with(before, value)));
    }
    return arguments.toList();
  }

  private static Object[] with(Object[] before, Object value) {
    Object[] longer = Arrays.copyOf(before, before.length + 1);
    longer[before.length] = value;
    return longer;
  }

  private static String construct(Constructor<?> constructor, Object buffer, Object[] more)
      throws ReflectiveOperationException {
    Object[] arguments = new Object[more.length + 1];
    arguments[0] = buffer;
    System.arraycopy(more, 0, arguments, 1, more.length);
    String outcome = "made";
    try {
      constructor.newInstance(arguments);
    } catch (InvocationTargetException thrown) {
      outcome = Shown.exception(thrown.getCause());
    }
    Object count = buffer == null ? 0 : refCnt(buffer);
    return outcome + ", then refCnt " + count;
  }

  private static int refCnt(Object buffer) {
    return buffer instanceof ByteBuf ours
        ? ours.refCnt()
        : ((io.netty.buffer.ByteBuf) buffer).refCnt();
  }

  @ParameterizedTest
  @ValueSource(strings = {"buffer.ByteBufInputStream", "buffer.ByteBufOutputStream"})
  void methodsBehaveAsNettys(String type) throws IOException {
    DifferentialSettings settings = DifferentialSettings.of(type);
    List<MethodPair> methods = MethodPair.of(type, BufferStreamDifferentialTest::isCompared);
    assertThat(methods).hasSizeGreaterThan(15);
    try (TwinFiles files = new TwinFiles()) {
      for (int i = 0; i < STREAMS; i++) {
        drive(type, methods, settings.random(i), files, settings.name(i));
      }
    }
  }

  private static boolean isCompared(java.lang.reflect.Method method) {
    return MethodPair.isInstance(method) && !method.getName().equals("buffer");
  }

  private static void drive(
      String type,
      List<MethodPair> methods,
      SplittableRandom random,
      TwinFiles files,
      String name) {
    TwinKind kind = KINDS[random.nextInt(1, KINDS.length - 1)];
    byte[] bytes = new byte[random.nextInt(60)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : "a\r\n\0".charAt(i % 4));
    }
    Twin twin = kind.twin(bytes, random);
    Both stream = Both.construct(type, twin.both(), random.nextBoolean());
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < CALLS_PER_STREAM && twin.ours().refCnt() > 0; i++) {
      MethodPair method = methods.get(random.nextInt(methods.size()));
      Both[] arguments = new TwinArguments(random, files).of(method.ours(), twin);
      if (skipsBackwards(method, arguments)) {
        continue;
      }
      MethodPair.Outcome theirs =
          MethodPair.call(method.theirs(), stream.theirs(), TwinArguments.theirs(arguments));
      MethodPair.Outcome ours =
          MethodPair.call(method.ours(), stream.ours(), TwinArguments.ours(arguments));
      calls.add(method.name() + Arrays.stream(arguments).map(a -> Shown.of(a.ours())).toList());
      String call = "%s, %s: %s".formatted(name, kind, calls);
      if (isNegativeWriteToReadOnly(kind, method, arguments)) {
        assertThat(theirs.thrown()).as("%s", call).isInstanceOf(ReadOnlyBufferException.class);
        assertThat(ours.thrown()).as("%s", call).isInstanceOf(IllegalArgumentException.class);
      } else {
        assertThat(ours.comparable()).as("%s", call).isEqualTo(theirs.comparable());
      }
      assertThat(twin.ours().refCnt()).as("%s", call).isEqualTo(twin.theirs().refCnt());
      if (twin.ours().refCnt() > 0) {
        twin.level(0);
        assertThat(twin.difference(true)).as("%s", call).isNull();
        assertThat(TwinArguments.difference(arguments, twin)).as("%s", call).isNull();
      }
      TwinArguments.free(arguments, twin);
    }
    twin.free();
  }

  /**
   * Returns whether the call skips a negative number of bytes. Netty refuses it, or skips as many
   * bytes as its low 32 bits say. Cistern skips none, as {@link java.io.DataInput} specifies.
   */
  private static boolean skipsBackwards(MethodPair method, Both[] arguments) {
    return method.name().matches("skip|skipBytes")
        && ((Number) arguments[0].ours()).longValue() < 0;
  }

  /**
   * Returns whether the call writes a negative length to a read-only buffer. Netty reports the
   * read-only buffer, and Cistern the length.
   */
  private static boolean isNegativeWriteToReadOnly(
      TwinKind kind, MethodPair method, Both[] arguments) {
    return kind == TwinKind.READ_ONLY_HEAP
        && method.name().equals("write")
        && arguments.length == 3
        && (int) arguments[2].ours() < 0;
  }
}
