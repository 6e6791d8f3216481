/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds a call of a static method before each return of a method. The static method has the result,
 * if there is one, and the object as arguments, and replaces the result. The added code has no
 * branch, so no frame is needed.
 */
final class ExitCallVisitor extends MethodVisitor {
  private final String owner;
  private final String name;
  private final String descriptor;

  /**
   * @param owner the class of the static method
   * @param descriptor its descriptor; the result is {@code void}, {@code long}, {@code int} or
   *     {@code boolean}
   */
  ExitCallVisitor(@Nullable MethodVisitor next, String owner, String name, String descriptor) {
    super(Opcodes.ASM9, next);
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode == Opcodes.LRETURN || opcode == Opcodes.IRETURN || opcode == Opcodes.RETURN) {
      visitVarInsn(Opcodes.ALOAD, 0);
      visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    }
    super.visitInsn(opcode);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(maxStack + 1, maxLocals); // the object, on top of the result
  }
}
