/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Adds a call of a static method, with some of the local variables, to the head of a method. */
final class HeadCallVisitor extends MethodVisitor {
  private final HookCall call;

  HeadCallVisitor(@Nullable MethodVisitor next, HookCall call) {
    super(Opcodes.ASM9, next);
    this.call = call;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    Type[] types = Type.getArgumentTypes(call.descriptor());
    for (int i = 0; i < types.length; i++) {
      visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), call.locals().get(i));
    }
    visitMethodInsn(Opcodes.INVOKESTATIC, call.owner(), call.name(), call.descriptor(), false);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(Math.max(maxStack, call.locals().size()), maxLocals);
  }
}
