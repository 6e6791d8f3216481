/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A class's supertypes, methods and fields, read from its bytes without loading it. A member is
 * identified by its name and descriptor, with a space in between.
 */
final class ClassShape extends ClassVisitor {
  final String name;
  private int access;

  /** The superclass, followed by the interfaces. */
  private final List<String> parents = new ArrayList<>();

  private final Map<String, Integer> members = new HashMap<>();

  private ClassShape(String name) {
    super(Opcodes.ASM9);
    this.name = name;
  }

  static ClassShape of(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassShape shape = new ClassShape(reader.getClassName());
    reader.accept(shape, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return shape;
  }

  @Override
  public void visit(
      int version,
      int flags,
      String className,
      @Nullable String signature,
      @Nullable String superName,
      String[] interfaces) {
    access = flags;
    if (superName != null) {
      parents.add(superName);
    }
    Collections.addAll(parents, interfaces);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int flags,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    members.put(method + ' ' + descriptor, flags);
    return null;
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int flags,
      String field,
      String descriptor,
      @Nullable String signature,
      @Nullable Object value) {
    members.put(field + ' ' + descriptor, flags);
    return null;
  }

  /** Returns the superclass and the interfaces, in this order. */
  List<String> parents() {
    return parents;
  }

  @Nullable String superName() {
    return parents.isEmpty() ? null : parents.get(0);
  }

  int access() {
    return access;
  }

  /** Returns whether the class itself declares a member. */
  boolean hasMember(String member) {
    return members.containsKey(member);
  }

  /** Returns the flags of a member that the class itself declares. */
  int access(String member) {
    return members.getOrDefault(member, 0);
  }

  boolean isAbstract(String member) {
    return (access(member) & Opcodes.ACC_ABSTRACT) != 0;
  }

  /** Returns the methods with a body or those without one. */
  Set<String> methods(boolean areAbstract) {
    Set<String> found = new HashSet<>();
    for (String member : members.keySet()) {
      if (member.indexOf('(') > 0 && isAbstract(member) == areAbstract) {
        found.add(member);
      }
    }
    return found;
  }
}
