/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import dev.cistern.agent.weave.MethodHead.Method;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Weaves a class of a Netty copy: one visitor for each concern, the last of which writes.
 *
 * <p>What a visitor adds is seen only by those after it: the prologue comes last, so that its
 * return is none of the allocator's own.
 */
final class Weaver {
  private static final String COUNTED = "/buffer/AbstractReferenceCountedByteBuf";
  private static final String PLATFORM = "/PlatformDependent";

  private Weaver() {}

  /**
   * Weaves the class: an allocator, a buffer, or the one that counts direct memory.
   *
   * @param className its internal name
   * @throws IllegalArgumentException if it does not have the methods that must be woven
   */
  static byte[] weave(byte[] classFile, String className) {
    ClassReader reader = new ClassReader(classFile);
    if (className.endsWith("/util/internal" + PLATFORM)) {
      return memoryCounter(reader, className);
    }
    return BufferNames.matches(className)
        ? buffer(reader, className)
        : allocator(reader, className, exitRefusal(reader, className) == null);
  }

  /** Why what an allocator makes cannot be observed, or null. */
  static @Nullable String observationRefusal(
      byte[] allocator, String allocatorName, byte[] buffer, String bufferName) {
    String refusal = exitRefusal(new ClassReader(allocator), allocatorName);
    ClassShape shape = ClassShape.of(buffer);
    String counted = AllocatorNames.prefix(allocatorName) + COUNTED;
    if (refusal != null) {
      return refusal;
    }
    if (!counted.equals(shape.superName())) {
      return bufferName + " does not extend " + counted;
    }
    return shape.concreteMethods().contains("deallocate()V")
        ? null
        : bufferName + " has no deallocate()";
  }

  /** Why the exits of an allocator cannot be woven, or null; it is woven without, then. */
  private static @Nullable String exitRefusal(ClassReader allocator, String className) {
    AllocationExits exits = new AllocationExits(null, className);
    allocator.accept(exits, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return exits.refusal();
  }

  private static byte[] allocator(ClassReader reader, String className, boolean isObservable) {
    ClassWriter writer = new ClassWriter(reader, 0);
    Prologue prologue = new Prologue(writer, className);
    ClassVisitor answers = new HostViewExits(prologue, className);
    reader.accept(isObservable ? new AllocationExits(answers, className) : answers, 0);
    if (prologue.woven() != 2) {
      throw new IllegalArgumentException(
          className + " has " + prologue.woven() + " of the 2 methods to weave");
    }
    return writer.toByteArray();
  }

  /** Netty's own count of direct memory calls the agent before it adds to itself. */
  private static byte[] memoryCounter(ClassReader reader, String className) {
    String hook = className.substring(0, className.length() - PLATFORM.length()) + "/CisternMemory";
    return withHead(
        reader,
        new Method(className, "incrementMemoryCounter", "(I)V"),
        Opcodes.ILOAD,
        new Method(hook, "reserving", "(I)V"));
  }

  /** The observer of a buffer is called before its memory goes back. */
  private static byte[] buffer(ClassReader reader, String className) {
    String prefix = BufferNames.prefix(className);
    return withHead(
        reader,
        new Method(className, "deallocate", "()V"),
        Opcodes.ALOAD,
        new Method(
            prefix + "/buffer/CisternObserver", "deallocated", "(L" + prefix + COUNTED + ";)V"));
  }

  private static byte[] withHead(ClassReader reader, Method target, int load, Method called) {
    ClassWriter writer = new ClassWriter(reader, 0);
    MethodHead head = new MethodHead(writer, target, load, called);
    reader.accept(head, 0);
    head.requireWoven();
    return writer.toByteArray();
  }
}
