/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class's superclass, methods and fields, read from its bytes without loading it. */
final class ClassShape extends ClassVisitor {
  private @Nullable String superName;
  private int access;

  /** Access flags by name and descriptor. */
  private final Map<String, Integer> methods = new HashMap<>();

  /** Access flags by name and descriptor. */
  private final Map<String, Integer> fields = new HashMap<>();

  private ClassShape() {
    super(Opcodes.ASM9);
  }

  static ClassShape of(byte[] classFile) {
    ClassShape shape = new ClassShape();
    new ClassReader(classFile)
        .accept(shape, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return shape;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    this.access = access;
    this.superName = superName;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    methods.put(name + descriptor, access);
    return null;
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    fields.put(name + ' ' + descriptor, access);
    return null;
  }

  @Nullable String superName() {
    return superName;
  }

  boolean isPublic() {
    return (access & Opcodes.ACC_PUBLIC) != 0;
  }

  boolean hasMethod(String nameAndDescriptor) {
    return methods.containsKey(nameAndDescriptor);
  }

  boolean hasField(String name, String descriptor) {
    return fields.containsKey(name + ' ' + descriptor);
  }

  /** Whether there is such a field that other classes of the package can read. */
  boolean hasReachableField(String name, String descriptor) {
    Integer flags = fields.get(name + ' ' + descriptor);
    return flags != null && (flags & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
  }

  /** Whether there is such a method that other classes of the package can call. */
  boolean hasReachableMethod(String nameAndDescriptor) {
    Integer flags = methods.get(nameAndDescriptor);
    return flags != null && (flags & Opcodes.ACC_PRIVATE) == 0;
  }

  Set<String> abstractMethods() {
    return withAbstract(true);
  }

  Set<String> concreteMethods() {
    return withAbstract(false);
  }

  private Set<String> withAbstract(boolean wanted) {
    Set<String> found = new HashSet<>();
    for (Map.Entry<String, Integer> method : methods.entrySet()) {
      if ((method.getValue() & Opcodes.ACC_ABSTRACT) != 0 == wanted) {
        found.add(method.getKey());
      }
    }
    return found;
  }
}
