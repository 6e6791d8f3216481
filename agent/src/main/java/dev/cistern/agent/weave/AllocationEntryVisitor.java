/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adds a prologue to {@code newHeapBuffer(int, int)} or {@code newDirectBuffer(int, int)}. The
 * prologue calls the hook and returns its buffer; if the hook returns null, Netty's own body runs.
 *
 * <p>The pooled allocator calls the hook only if this instance has arenas of that kind. An instance
 * without them continues to allocate unpooled buffers. The code needs a single frame that equals
 * the method's first one, and no invokedynamic, because Netty 4.1 has class files of Java 6.
 */
final class AllocationEntryVisitor extends MethodVisitor {
  private static final int INITIAL_CAPACITY = 1;
  private static final int MAX_CAPACITY = 2;

  /**
   * Variable with the hook's buffer. The body can use the same variable, because the prologue ends
   * before the body begins.
   */
  private static final int SERVED = 3;

  private static final int STACK = 3;

  private final String className;
  private final boolean direct;

  /**
   * @param className the allocator
   * @param direct whether the method allocates direct buffers
   */
  AllocationEntryVisitor(@Nullable MethodVisitor next, String className, boolean direct) {
    super(Opcodes.ASM9, next);
    this.className = className;
    this.direct = direct;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    String buffers = NettyNames.prefix(className) + "/buffer/";
    Label body = new Label();
    if (NettyNames.isPooled(className)) {
      visitVarInsn(Opcodes.ALOAD, 0);
      visitFieldInsn(
          Opcodes.GETFIELD,
          className,
          direct ? "directArenas" : "heapArenas",
          "[L" + buffers + "PoolArena;");
      visitJumpInsn(Opcodes.IFNULL, body);
    }
    visitVarInsn(Opcodes.ALOAD, 0);
    visitVarInsn(Opcodes.ILOAD, INITIAL_CAPACITY);
    visitVarInsn(Opcodes.ILOAD, MAX_CAPACITY);
    visitMethodInsn(
        Opcodes.INVOKESTATIC,
        buffers + "CisternHook",
        direct ? "direct" : "heap",
        "(L" + buffers + "AbstractByteBufAllocator;II)L" + buffers + "ByteBuf;",
        false);
    visitVarInsn(Opcodes.ASTORE, SERVED);
    visitVarInsn(Opcodes.ALOAD, SERVED);
    visitJumpInsn(Opcodes.IFNULL, body);
    visitVarInsn(Opcodes.ALOAD, SERVED);
    visitInsn(Opcodes.ARETURN);
    visitLabel(body);
    visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    visitInsn(Opcodes.NOP); // the body may begin with another frame
  }

  @Override
  public void visitMaxs(int maxStack, int maxLocals) {
    super.visitMaxs(Math.max(maxStack, STACK), Math.max(maxLocals, SERVED + 1));
  }
}
