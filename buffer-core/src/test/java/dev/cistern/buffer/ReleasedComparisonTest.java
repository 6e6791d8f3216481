/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests comparisons of a released buffer with itself. As in Netty 4.1, they do not read the bytes,
 * so that a collection can remove a buffer after its release.
 */
@Tag("C1")
@Tag("D2")
@Unwatched("both sides alike: a kind is leak-aware on both, or on none")
class ReleasedComparisonTest {
  private static final int BYTES = 20;

  @ParameterizedTest
  @EnumSource(TwinKind.class)
  void answersAsNetty(TwinKind kind) {
    NettyLeakLevel.watchAll(kind.isLeakAware());
    Twin twin = kind.twin(new byte[kind == TwinKind.EMPTY ? 0 : BYTES], new SplittableRandom(1));
    twin.free();
    List<String> differences = new ArrayList<>();
    compare(twin, "buffer.ByteBuf", "equals", differences);
    compare(twin, "buffer.ByteBuf", "compareTo", differences);
    compare(twin, "buffer.ByteBufUtil", "equals", differences);
    compare(twin, "buffer.ByteBufUtil", "compare", differences);
    assertThat(differences).isEmpty();
  }

  private static void compare(Twin twin, String type, String name, List<String> differences) {
    List<MethodPair> methods =
        MethodPair.of(type, method -> method.getName().equals(name) && takesOnlyBuffers(method));
    assertThat(methods).hasSize(1);
    MethodPair pair = methods.get(0);
    String theirs = outcome(pair.theirs(), twin.theirs());
    if (isWrapper(twin.theirs()) && theirs.equals("IllegalReferenceCountException")) {
      return;
    }
    String ours = outcome(pair.ours(), twin.ours());
    if (!theirs.equals(ours)) {
      differences.add(type + "." + name + ": theirs " + theirs + ", ours " + ours);
    }
  }

  /**
   * Returns whether the buffer is a wrapper, whose comparison in Netty compares its target with the
   * wrapper, which is another object.
   */
  private static boolean isWrapper(io.netty.buffer.ByteBuf buffer) {
    Class<?> superclass = buffer.getClass().getSuperclass();
    return superclass.getSimpleName().matches("(Wrapped|SimpleLeakAware)(Composite)?ByteBuf");
  }

  private static boolean takesOnlyBuffers(Method method) {
    return method.getParameterCount() == (MethodPair.isStatic(method) ? 2 : 1);
  }

  private static String outcome(Method method, Object buffer) {
    Object[] arguments =
        MethodPair.isStatic(method) ? new Object[] {buffer, buffer} : new Object[] {buffer};
    return MethodPair.call(method, buffer, arguments).comparable();
  }
}
