/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts a prologue before the bodies of {@code newHeapBuffer(int, int)} and {@code
 * newDirectBuffer(int, int)}: ask the hook, return what it gives, else go on as ever.
 *
 * <p>The pooled allocator asks only where this instance has arenas of that kind: one without them
 * hands out unpooled buffers, and keeps doing so. The code needs a single frame that equals the
 * method's first one, and no invokedynamic, since Netty 4.1 has class files of Java 6.
 */
final class Prologue extends ClassVisitor {
  private static final int API = Opcodes.ASM9;

  private final String className;
  private final String prefix;
  private int woven;

  /** Of the allocator {@code className}; what it writes goes to {@code next}. */
  Prologue(ClassVisitor next, String className) {
    super(API, next);
    this.className = className;
    this.prefix = AllocatorNames.prefix(className);
  }

  /** How many of the two methods were there. */
  int woven() {
    return woven;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor body = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean direct = name.equals("newDirectBuffer");
    if ((direct || name.equals("newHeapBuffer"))
        && descriptor.equals("(II)L" + prefix + "/buffer/ByteBuf;")) {
      woven++;
      return new BodyVisitor(body, className, prefix, direct);
    }
    return body;
  }

  private static final class BodyVisitor extends MethodVisitor {
    private static final int INITIAL_CAPACITY = 1;
    private static final int MAX_CAPACITY = 2;

    /** The body's own first variable: the prologue is done with it before the body begins. */
    private static final int SERVED = 3;

    private static final int STACK = 3;

    private final String className;
    private final String prefix;
    private final boolean direct;

    BodyVisitor(MethodVisitor next, String className, String prefix, boolean direct) {
      super(API, next);
      this.className = className;
      this.prefix = prefix;
      this.direct = direct;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label body = new Label();
      if (AllocatorNames.isPooled(className)) {
        visitVarInsn(Opcodes.ALOAD, 0);
        visitFieldInsn(
            Opcodes.GETFIELD,
            className,
            direct ? "directArenas" : "heapArenas",
            "[L" + prefix + "/buffer/PoolArena;");
        visitJumpInsn(Opcodes.IFNULL, body);
      }
      visitVarInsn(Opcodes.ALOAD, 0);
      visitVarInsn(Opcodes.ILOAD, INITIAL_CAPACITY);
      visitVarInsn(Opcodes.ILOAD, MAX_CAPACITY);
      visitMethodInsn(
          Opcodes.INVOKESTATIC,
          prefix + "/buffer/CisternHook",
          direct ? "direct" : "heap",
          "(L" + prefix + "/buffer/AbstractByteBufAllocator;II)L" + prefix + "/buffer/ByteBuf;",
          false);
      visitVarInsn(Opcodes.ASTORE, SERVED);
      visitVarInsn(Opcodes.ALOAD, SERVED);
      visitJumpInsn(Opcodes.IFNULL, body);
      visitVarInsn(Opcodes.ALOAD, SERVED);
      visitInsn(Opcodes.ARETURN);
      visitLabel(body);
      visitFrame(Opcodes.F_SAME, 0, null, 0, null);
      visitInsn(Opcodes.NOP); // should the body begin with a frame of its own
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      super.visitMaxs(Math.max(maxStack, STACK), Math.max(maxLocals, SERVED + 1));
    }
  }
}
