/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Classes of one package prefix with their supertypes, each read once. */
final class ClassHierarchy {
  private final String prefix;

  /** Function from an internal class name to the class file, or null. */
  private final Function<String, byte @Nullable []> classFiles;

  private final Map<String, @Nullable ClassShape> shapes = new HashMap<>();

  /**
   * @param prefix of the names of classes to read; all other classes count as missing
   * @param classFiles function from an internal class name to the class file, or null
   */
  ClassHierarchy(String prefix, Function<String, byte @Nullable []> classFiles) {
    this.prefix = prefix;
    this.classFiles = classFiles;
  }

  /** Returns a class, or null if it has no class file. */
  @Nullable ClassShape shape(@Nullable String name) {
    if (name == null || shapes.containsKey(name)) {
      return shapes.get(name);
    }
    byte[] classFile = name.startsWith(prefix) ? classFiles.apply(name) : null;
    ClassShape shape = classFile == null ? null : ClassShape.of(classFile);
    shapes.put(name, shape);
    return shape;
  }

  /** Returns whether a class is another one or inherits it. */
  boolean isSubclass(@Nullable String name, String other) {
    ClassShape shape = shape(name);
    return shape != null && (shape.name.equals(other) || isSubclass(shape.superName(), other));
  }

  /** Returns the nearest class or interface that declares a member, or null. */
  @Nullable ClassShape declaring(@Nullable String name, String member) {
    ClassShape found = shape(name);
    if (found == null || found.hasMember(member)) {
      return found;
    }
    for (String parent : found.parents()) {
      ClassShape inherited = declaring(parent, member);
      if (inherited != null) {
        return inherited;
      }
    }
    return null;
  }

  /** Returns the methods of a class that neither it nor a supertype implements. */
  Set<String> abstractMethods(@Nullable String name) {
    Set<String> found = new HashSet<>();
    ClassShape shape = shape(name);
    if (shape != null) {
      found.addAll(shape.methods(true));
      for (String parent : shape.parents()) {
        found.addAll(abstractMethods(parent));
      }
      found.removeIf(method -> !isAbstract(name, method));
    }
    return found;
  }

  private boolean isAbstract(@Nullable String name, String method) {
    ClassShape declaring = declaring(name, method);
    return declaring != null && declaring.isAbstract(method);
  }
}
