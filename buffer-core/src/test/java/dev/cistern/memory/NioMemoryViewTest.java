/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a view shows the memory that it was moved to, and none after it is shut. */
@Tag("H1")
class NioMemoryViewTest {
  private final ByteBuffer memory = ByteBuffer.allocateDirect(16);

  @BeforeEach
  void available() {
    assumeTrue(NioMemory.canWrap());
    for (int i = 0; i < memory.capacity(); i++) {
      memory.put(i, (byte) i);
    }
  }

  @Test
  void itMoves() {
    ByteBuffer window = NioMemory.wrap(0, 0);
    assertThat(window.hasRemaining()).isFalse();
    NioMemory.move(window, NioMemory.start(memory) + 3, 2);
    assertThat(window.capacity()).isEqualTo(2);
    assertThat(window.get()).isEqualTo((byte) 3);
    assertThat(window.get()).isEqualTo((byte) 4);
    assertThatThrownBy(window::get).isInstanceOf(BufferUnderflowException.class);
    NioMemory.move(window, NioMemory.start(memory) + 10, 6);
    assertThat(window.position()).isZero();
    assertThat(window.remaining()).isEqualTo(6);
    assertThat(window.get(5)).isEqualTo((byte) 15);
    assertThat(window.isDirect()).isTrue();
  }

  @Test
  void itShowsNothingWhenItIsShut() {
    ByteBuffer window = NioMemory.wrap(0, 0);
    NioMemory.move(window, NioMemory.start(memory), 16);
    window.position(4);
    NioMemory.shut(window);
    assertThatThrownBy(window::get).isInstanceOf(BufferUnderflowException.class);
    assertThatThrownBy(() -> window.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(window.clear().remaining()).isZero();
  }
}
