/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Tells the observer of what the bodies of {@code newHeapBuffer(int, int)} and {@code
 * newDirectBuffer(int, int)} return, before each return.
 *
 * <p>What is passed on stands in the first two variables. A body that uses these for something else
 * is not to be woven: {@link #refusal} says so when it was visited.
 */
final class AllocationExits extends ClassVisitor {
  private static final int API = Opcodes.ASM9;

  private final String className;
  private final String prefix;
  private int exits;
  private @Nullable String refusal;

  /** Of the allocator {@code className}; what it writes goes to {@code next}. */
  AllocationExits(@Nullable ClassVisitor next, String className) {
    super(API, next);
    this.className = className;
    this.prefix = AllocatorNames.prefix(className);
  }

  /** Why this class cannot be observed, or null; known when it was visited. */
  @Nullable String refusal() {
    return refusal == null && exits == 0 ? className + " never returns a buffer" : refusal;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor body = super.visitMethod(access, name, descriptor, signature, exceptions);
    return AllocatorNames.makesBuffers(prefix, name, descriptor) ? new BodyVisitor(body) : body;
  }

  private final class BodyVisitor extends MethodVisitor {
    private static final int THIS = 0;
    private static final int INITIAL_CAPACITY = 1;

    /** On top of what is to be returned. */
    private static final int STACK = 2;

    BodyVisitor(@Nullable MethodVisitor next) {
      super(API, next);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.ARETURN) {
        exits++;
        super.visitVarInsn(Opcodes.ALOAD, THIS);
        super.visitVarInsn(Opcodes.ILOAD, INITIAL_CAPACITY);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            prefix + "/buffer/CisternObserver",
            "allocated",
            "(L"
                + prefix
                + "/buffer/ByteBuf;L"
                + prefix
                + "/buffer/AbstractByteBufAllocator;I)L"
                + prefix
                + "/buffer/ByteBuf;",
            false);
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE && variable <= INITIAL_CAPACITY) {
        refuse();
      }
      super.visitVarInsn(opcode, variable);
    }

    @Override
    public void visitIincInsn(int variable, int increment) {
      if (variable <= INITIAL_CAPACITY) {
        refuse();
      }
      super.visitIincInsn(variable, increment);
    }

    private void refuse() {
      refusal = className + " changes what its methods were called with";
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(maxStack + STACK, maxLocals);
    }
  }
}
