/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds a call of a static method to the head of one method. The called method gets the first local
 * variable: {@code this} of an instance method, or the first number of a static one. The code needs
 * no frame.
 */
final class MethodHead extends ClassVisitor {
  private static final int API = Opcodes.ASM9;

  /**
   * A method of a class.
   *
   * @param owner the internal name of the class
   */
  record Method(String owner, String name, String descriptor) {}

  private final Method target;
  private final int load;
  private final Method called;
  private int woven;

  /**
   * @param next gets the woven class
   * @param target the method to weave; its owner is the class that is visited
   * @param load the instruction that loads the first local variable: {@code ALOAD} for an instance
   *     method, another for a static one
   * @param called the method to call
   */
  MethodHead(@Nullable ClassVisitor next, Method target, int load, Method called) {
    super(API, next);
    this.target = target;
    this.load = load;
    this.called = called;
  }

  /**
   * Requires that the method was there.
   *
   * @throws IllegalArgumentException otherwise
   */
  void requireWoven() {
    if (woven != 1) {
      throw new IllegalArgumentException(
          target.owner + " has no " + target.name + target.descriptor + " to weave");
    }
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
    boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
    boolean hasThis = load == Opcodes.ALOAD;
    if (!hasBody
        || isStatic == hasThis
        || !name.equals(target.name)
        || !descriptor.equals(target.descriptor)) {
      return body;
    }
    woven++;
    return new MethodVisitor(API, body) {
      @Override
      public void visitCode() {
        super.visitCode();
        visitVarInsn(load, 0);
        visitMethodInsn(Opcodes.INVOKESTATIC, called.owner, called.name, called.descriptor, false);
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(Math.max(maxStack, 1), maxLocals);
      }
    };
  }
}
