/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that the known address of a NIO buffer's bytes is right. */
@Tag("B8")
class NioMemoryTest {
  private static final int FIRST_JDK_WITH_SEGMENTS = 22;

  @Test
  void findsTheBytesOfEveryOrdinaryBuffer() {
    byte[] array = new byte[40];
    for (ByteBuffer whole :
        List.of(ByteBuffer.wrap(array, 5, 30).slice(), ByteBuffer.allocateDirect(30))) {
      whole.put(17, (byte) 42);
      for (ByteBuffer buffer :
          List.of(
              whole.duplicate().position(17),
              whole.asReadOnlyBuffer().position(17),
              whole.slice(10, 20).position(7),
              whole.asReadOnlyBuffer().position(10).slice().position(7))) {
        assertThat(NioMemory.isKnown(buffer)).as("%s", buffer).isTrue();
        assertThat(NioMemory.base(buffer)).isSameAs(whole.isDirect() ? null : array);
        assertThat(MemoryAccess.getByte(NioMemory.base(buffer), NioMemory.address(buffer)))
            .as("%s", buffer)
            .isEqualTo((byte) 42);
      }
    }
  }

  @Test
  void leavesMemoryThatMayBeUnmappedToTheJvm() throws ReflectiveOperationException {
    assumeTrue(Runtime.version().feature() >= FIRST_JDK_WITH_SEGMENTS, "memory segments are newer");
    Class<?> arena = Class.forName("java.lang.foreign.Arena");
    Object confined = arena.getMethod("ofConfined").invoke(null);
    Object segment = arena.getMethod("allocate", long.class).invoke(confined, 64L);
    Method asByteBuffer =
        Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
    ByteBuffer buffer = (ByteBuffer) asByteBuffer.invoke(segment);
    assertThat(NioMemory.isKnown(buffer)).isFalse();
    arena.getMethod("close").invoke(confined);
  }
}
