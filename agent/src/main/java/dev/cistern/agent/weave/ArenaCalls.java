/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds the methods of a class that take memory from Netty's arenas themselves. Buffers from them
 * do not come by the methods that are woven, so that they are neither served nor observed.
 */
public final class ArenaCalls extends ClassVisitor {
  private static final int API = Opcodes.ASM9;
  private static final String ALLOCATE = "allocate";

  private final Set<String> arenas;
  private final Set<String> methods = new LinkedHashSet<>();

  private ArenaCalls(String prefix) {
    super(API);
    arenas = Set.of(prefix + "/buffer/PoolArena", prefix + "/buffer/AdaptivePoolingAllocator");
  }

  /**
   * Returns the names of these methods.
   *
   * @param prefix of the copy of Netty, as {@code io/netty}
   */
  public static Set<String> of(byte[] classFile, String prefix) {
    ArenaCalls calls = new ArenaCalls(prefix);
    new ClassReader(classFile).accept(calls, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return calls.methods;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return new MethodVisitor(API) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String callDescriptor, boolean isInterface) {
        if (arenas.contains(owner) && name.equals(ALLOCATE)) {
          methods.add(method);
        }
      }
    };
  }
}
