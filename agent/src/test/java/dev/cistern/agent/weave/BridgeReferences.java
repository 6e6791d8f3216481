/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The methods of Netty that a class of ours calls. */
final class BridgeReferences {
  record Reference(String owner, String method) {
    /**
     * Looks in the class and its superclasses and interfaces; what is beyond Netty counts as there.
     */
    boolean existsIn(Map<String, byte[]> netty) {
      return exists(owner, netty);
    }

    private boolean exists(String className, Map<String, byte[]> netty) {
      if (!className.startsWith("io/netty/")) {
        return className.equals("java/lang/Object") ? objectHas() : false;
      }
      byte[] classFile = netty.get(className);
      if (classFile == null) {
        return false;
      }
      if (ClassShape.of(classFile).hasMethod(method)) {
        return true;
      }
      ClassReader reader = new ClassReader(classFile);
      if (exists(reader.getSuperName(), netty)) {
        return true;
      }
      for (String face : reader.getInterfaces()) {
        if (exists(face, netty)) {
          return true;
        }
      }
      return false;
    }

    private boolean objectHas() {
      return method.startsWith("getClass()") || method.startsWith("toString()");
    }

    @Override
    public String toString() {
      return owner + '.' + method;
    }
  }

  private BridgeReferences() {}

  /** Calls on our own classes that they inherit are looked for in Netty's counted buffer. */
  static Set<Reference> of(byte[] classFile) {
    Set<Reference> references = new HashSet<>();
    Set<String> own = ownMethods();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String called, String calledDescriptor, boolean i) {
                    String method = called + calledDescriptor;
                    if (owner.startsWith("io/netty/")) {
                      references.add(new Reference(owner, method));
                    } else if (owner.startsWith("dev/cistern/netty/pool/")
                        && owner.endsWith("ByteBuf")
                        && !own.contains(method)) {
                      references.add(
                          new Reference("io/netty/buffer/AbstractReferenceCountedByteBuf", method));
                    }
                  }
                };
              }
            },
            ClassReader.SKIP_FRAMES);
    return references;
  }

  private static Set<String> ownMethods() {
    Set<String> own = new HashSet<>();
    for (String name : new String[] {"SlotByteBuf", "CisternByteBuf"}) {
      ClassShape shape = ClassShape.of(NettyJars.own("dev/cistern/netty/pool/" + name));
      own.addAll(shape.concreteMethods());
      own.addAll(shape.abstractMethods());
    }
    return own;
  }
}
