/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Calls {@code CisternMemory.reserving} before the body of {@code incrementMemoryCounter(int)} in
 * Netty's {@code PlatformDependent}. The code needs no frame.
 */
final class MemoryCounterHead extends ClassVisitor {
  private static final int API = Opcodes.ASM9;
  private static final String CLASS = "/PlatformDependent";

  private final String hook;
  private int woven;

  /** Writes the class {@code className} to {@code next}. */
  MemoryCounterHead(@Nullable ClassVisitor next, String className) {
    super(API, next);
    this.hook = className.substring(0, className.length() - CLASS.length()) + "/CisternMemory";
  }

  /** Returns whether a class of this internal name may have the method. */
  static boolean matches(String className) {
    return className.endsWith("/util/internal" + CLASS);
  }

  /** Returns the number of such methods. */
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
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    if (!isStatic || !name.equals("incrementMemoryCounter") || !descriptor.equals("(I)V")) {
      return body;
    }
    woven++;
    return new MethodVisitor(API, body) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitVarInsn(Opcodes.ILOAD, 0);
        visitMethodInsn(Opcodes.INVOKESTATIC, hook, "reserving", "(I)V", false);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, 1), maxLocals);
      }
    };
  }
}
