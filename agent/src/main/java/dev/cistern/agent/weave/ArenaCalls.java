/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds the methods of another library's allocator that take memory from Netty's arenas directly,
 * and passes their buffers to the observer. These methods do not call the methods that the agent
 * instruments in Netty, so the pool cannot serve them.
 */
public final class ArenaCalls extends ClassVisitor {
  private static final int API = Opcodes.ASM9;
  private static final String ALLOCATE = "allocate";

  /**
   * Number of stack slots that the added code needs: for a second reference to the buffer, and for
   * the allocator.
   */
  private static final int STACK = 2;

  private final String buffers;
  private final Set<String> methods = new LinkedHashSet<>();
  private boolean isObservable = true;

  private ArenaCalls(@Nullable ClassVisitor next, String prefix) {
    super(API, next);
    buffers = prefix + "/buffer/";
  }

  /**
   * Returns the methods of this kind in a class file.
   *
   * @param prefix of the copy of Netty, as {@code io/netty}
   */
  public static ArenaCalls of(byte[] classFile, String prefix) {
    ArenaCalls calls = new ArenaCalls(null, prefix);
    new ClassReader(classFile).accept(calls, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return calls;
  }

  /** Returns the class with a call of the observer after each call of an arena. */
  static byte[] instrument(byte[] classFile, String prefix) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new ArenaCalls(writer, prefix), 0);
    return writer.toByteArray();
  }

  /** Returns the names of the methods. */
  public Set<String> methods() {
    return methods;
  }

  /**
   * Returns whether at each of their calls the allocator is {@code this}, and the result is a
   * buffer of an arena.
   */
  public boolean isObservable() {
    return isObservable;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    boolean hasThis = (access & Opcodes.ACC_STATIC) == 0 && !method.equals("<init>");
    return new MethodVisitor(
        API, super.visitMethod(access, method, descriptor, signature, exceptions)) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String callDescriptor, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, name, callDescriptor, isInterface);
        boolean isOfArena = owner.equals(buffers + "PoolArena");
        if (name.equals(ALLOCATE)
            && (isOfArena || owner.equals(buffers + "AdaptivePoolingAllocator"))) {
          methods.add(method);
          if (hasThis && isOfArena && callDescriptor.endsWith(")L" + buffers + "PooledByteBuf;")) {
            super.visitInsn(Opcodes.DUP);
            super.visitVarInsn(Opcodes.ALOAD, 0);
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                buffers + "CisternObserver",
                "taken",
                "(L" + buffers + "ByteBuf;L" + buffers + "AbstractByteBufAllocator;)V",
                false);
          } else {
            isObservable = false;
          }
        }
      }

      @Override
      public void visitMaxs(int maxStack, int maxLocals) {
        super.visitMaxs(maxStack + STACK, maxLocals);
      }
    };
  }
}
