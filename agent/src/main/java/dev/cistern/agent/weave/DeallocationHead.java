/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Tells the observer of a buffer before the body of its {@code deallocate()}. The code needs no
 * frame.
 */
final class DeallocationHead extends ClassVisitor {
  private static final int API = Opcodes.ASM9;

  private final String prefix;
  private int woven;

  /** Of the buffer {@code className}; what it writes goes to {@code next}. */
  DeallocationHead(@Nullable ClassVisitor next, String className) {
    super(API, next);
    this.prefix = BufferNames.prefix(className);
  }

  /** How many such methods were there. */
  int woven() {
    return woven;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor body = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean hasBody = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
    if (!hasBody || !name.equals("deallocate") || !descriptor.equals("()V")) {
      return body;
    }
    woven++;
    return new MethodVisitor(API, body) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitVarInsn(Opcodes.ALOAD, 0);
        visitMethodInsn(
            Opcodes.INVOKESTATIC,
            prefix + "/buffer/CisternObserver",
            "deallocated",
            "(L" + prefix + "/buffer/AbstractReferenceCountedByteBuf;)V",
            false);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, 1), maxLocals);
      }
    };
  }
}
