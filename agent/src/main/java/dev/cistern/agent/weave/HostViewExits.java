/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Sends what an allocator answers about its own memory through the hook, which adds ours: one call
 * before each return of those methods that this class has. Nothing branches, so no frame is needed.
 */
final class HostViewExits extends ClassVisitor {
  private static final int API = Opcodes.ASM9;

  private static final Set<String> METHODS =
      Set.of(
          "usedHeapMemory()J",
          "usedDirectMemory()J",
          "pinnedHeapMemory()J",
          "pinnedDirectMemory()J",
          "numThreadLocalCaches()I",
          "trimCurrentThreadCache()Z");

  private final String prefix;

  /** Of the allocator {@code className}; what it writes goes to {@code next}. */
  HostViewExits(ClassVisitor next, String className) {
    super(API, next);
    this.prefix = AllocatorNames.prefix(className);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor body = super.visitMethod(access, name, descriptor, signature, exceptions);
    int left = Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;
    return (access & left) == 0 && METHODS.contains(name + descriptor)
        ? new ExitVisitor(body, prefix, name, descriptor.substring(2))
        : body;
  }

  private static final class ExitVisitor extends MethodVisitor {
    private final String prefix;
    private final String name;
    private final String type;

    ExitVisitor(MethodVisitor next, String prefix, String name, String type) {
      super(API, next);
      this.prefix = prefix;
      this.name = name;
      this.type = type;
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.LRETURN || opcode == Opcodes.IRETURN) {
        visitVarInsn(Opcodes.ALOAD, 0);
        visitMethodInsn(
            Opcodes.INVOKESTATIC,
            prefix + "/buffer/CisternView",
            name,
            '(' + type + 'L' + prefix + "/buffer/AbstractByteBufAllocator;)" + type,
            false);
      }
      super.visitInsn(opcode);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(maxStack + 1, maxLocals); // the allocator, on top of the answer
    }
  }
}
