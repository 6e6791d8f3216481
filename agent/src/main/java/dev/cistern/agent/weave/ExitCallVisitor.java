/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds a call of a static method before each return of a method of an allocator. The static method
 * has the result, if there is one, and the allocator as arguments, and replaces the result. Nothing
 * branches, so no frame is needed.
 */
final class ExitCallVisitor extends MethodVisitor {
  private final String prefix;
  private final String owner;
  private final String name;
  private final String type;

  /**
   * @param prefix of the copy, as {@code io/netty}
   * @param owner the class of the static method, in Netty's package for buffers
   * @param type descriptor of the result: {@code V}, {@code J}, {@code I} or {@code Z}
   */
  ExitCallVisitor(
      @Nullable MethodVisitor next, String prefix, String owner, String name, String type) {
    super(Opcodes.ASM9, next);
    this.prefix = prefix;
    this.owner = owner;
    this.name = name;
    this.type = type;
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode == Opcodes.LRETURN || opcode == Opcodes.IRETURN || opcode == Opcodes.RETURN) {
      visitVarInsn(Opcodes.ALOAD, 0);
      visitMethodInsn(
          Opcodes.INVOKESTATIC,
          prefix + "/buffer/" + owner,
          name,
          '('
              + (type.equals("V") ? "" : type)
              + 'L'
              + prefix
              + "/buffer/AbstractByteBufAllocator;)"
              + type,
          false);
    }
    super.visitInsn(opcode);
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(maxStack + 1, maxLocals); // the allocator, on top of the result
  }
}
