/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Adds a call of a static method, with the first local variable, to the head of a method. */
final class HeadCallVisitor extends MethodVisitor {
  private final int load;
  private final String owner;
  private final String name;
  private final String descriptor;

  /**
   * @param load the instruction that loads the variable: {@code ALOAD} for an instance method
   * @param owner the class of the method to call
   */
  HeadCallVisitor(
      @Nullable MethodVisitor next, int load, String owner, String name, String descriptor) {
    super(Opcodes.ASM9, next);
    this.load = load;
    this.owner = owner;
    this.name = name;
    this.descriptor = descriptor;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    visitVarInsn(load, 0);
    visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(Math.max(maxStack, 1), maxLocals);
  }
}
