/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Passes the buffers that {@code newHeapBuffer(int, int)} or {@code newDirectBuffer(int, int)}
 * returns to the observer, before each return.
 *
 * <p>The observer gets the first two variables. A body that changes these cannot be observed.
 */
final class AllocationExitVisitor extends MethodVisitor {
  private static final int THIS = 0;
  private static final int INITIAL_CAPACITY = 1;

  /** Number of stack slots that the added code needs above the buffer. */
  private static final int STACK = 2;

  private final String prefix;
  private boolean hasExit;
  private boolean changesArguments;

  /**
   * @param prefix of the copy, as {@code io/netty}
   */
  AllocationExitVisitor(@Nullable MethodVisitor next, String prefix) {
    super(Opcodes.ASM9, next);
    this.prefix = prefix;
  }

  /** Returns why this method cannot be observed, or null; known after the visit. */
  @Nullable String refusal() {
    if (changesArguments) {
      return "changes the arguments of its methods";
    }
    return hasExit ? null : "never returns a buffer";
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode == Opcodes.ARETURN) {
      hasExit = true;
      String buffer = "L" + prefix + "/buffer/ByteBuf;";
      super.visitVarInsn(Opcodes.ALOAD, THIS);
      super.visitVarInsn(Opcodes.ILOAD, INITIAL_CAPACITY);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          prefix + "/buffer/CisternObserver",
          "allocated",
          "(" + buffer + "L" + prefix + "/buffer/AbstractByteBufAllocator;I)" + buffer,
          false);
    }
    super.visitInsn(opcode);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    boolean isStore = opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
    changesArguments |= isStore && variable <= INITIAL_CAPACITY;
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    changesArguments |= variable <= INITIAL_CAPACITY;
    super.visitIincInsn(variable, increment);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(maxStack + STACK, maxLocals);
  }
}
