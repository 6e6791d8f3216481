/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The API of a type: its public and protected members, including inherited ones, by name and
 * parameters. The type names of both libraries appear under Cistern's package names.
 */
final class ApiMembers {
  private final Class<?> type;
  private final Map<String, Method> methods = new TreeMap<>();
  private final Map<String, Method> hiddenAbstractMethods = new TreeMap<>();
  private final Map<String, Constructor<?>> constructors = new TreeMap<>();
  private final Map<String, Field> fields = new TreeMap<>();
  private final Set<String> deprecated = new TreeSet<>();

  ApiMembers(Class<?> type) {
    this.type = type;
    for (Class<?> from : family(type)) { // the most specific first
      for (Method method : from.getDeclaredMethods()) {
        add(method);
      }
      for (Field field : from.getDeclaredFields()) {
        if (isVisible(field)) {
          fields.putIfAbsent(field.getName(), field);
        }
        noteDeprecated(field.getName(), field.isAnnotationPresent(Deprecated.class));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isVisible(constructor)) {
        constructors.put(key(constructor), constructor);
      }
      noteDeprecated(key(constructor), constructor.isAnnotationPresent(Deprecated.class));
    }
  }

  /** Returns the type and its supertypes except Object, each before its own supertypes. */
  private static Set<Class<?>> family(Class<?> type) {
    Set<Class<?>> family = new LinkedHashSet<>();
    for (Class<?> from = type; from != null && from != Object.class; from = from.getSuperclass()) {
      family.add(from);
    }
    for (Class<?> from : List.copyOf(family)) {
      addInterfaces(from, family);
    }
    return family;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> family) {
    for (Class<?> parent : type.getInterfaces()) {
      family.add(parent);
      addInterfaces(parent, family);
    }
  }

  private void add(Method method) {
    String key = key(method);
    boolean isInherited = !method.getDeclaringClass().equals(type);
    if (method.isSynthetic() || (isInherited && isStaticOfInterface(method))) {
      return;
    }
    if (isVisible(method)) {
      Method known = methods.putIfAbsent(key, method);
      if (known != null && isAbstract(known) && method.isDefault()) {
        methods.put(key, method); // a superinterface has the body
      }
      noteDeprecated(key, method.isAnnotationPresent(Deprecated.class));
    } else if (isAbstract(method) && !methods.containsKey(key)) {
      hiddenAbstractMethods.put(key, method);
    }
  }

  private static boolean isStaticOfInterface(Method method) {
    return method.getDeclaringClass().isInterface() && Modifier.isStatic(method.getModifiers());
  }

  private void noteDeprecated(String key, boolean isDeprecated) {
    if (isDeprecated) {
      deprecated.add(key);
    }
  }

  private static boolean isVisible(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && !member.isSynthetic();
  }

  static boolean isAbstract(Member member) {
    return Modifier.isAbstract(member.getModifiers());
  }

  Map<String, Method> methods() {
    return methods;
  }

  Map<String, Constructor<?>> constructors() {
    return constructors;
  }

  Map<String, Field> fields() {
    return fields;
  }

  /** Returns whether the member, or a method that it overrides, is deprecated. */
  boolean isDeprecated(String key) {
    return deprecated.contains(key);
  }

  /** Returns whether code outside of the package can extend the type. */
  boolean isExtendable() {
    boolean canBe = type.isInterface() || !constructors.isEmpty();
    return canBe && !Modifier.isFinal(type.getModifiers());
  }

  /** Returns the abstract methods that code outside of the package cannot implement. */
  Set<String> hiddenAbstractMethods() {
    Set<String> hidden = new TreeSet<>();
    hiddenAbstractMethods.forEach(
        (key, method) -> {
          if (!isImplemented(method)) {
            hidden.add(key);
          }
        });
    return hidden;
  }

  /** Returns whether a class between the declaring class and the type implements the method. */
  private boolean isImplemented(Method method) {
    for (Class<?> from = type; from != method.getDeclaringClass(); from = from.getSuperclass()) {
      if (Stream.of(from.getDeclaredMethods())
          .anyMatch(other -> key(other).equals(key(method)) && !isAbstract(other))) {
        return true;
      }
    }
    return false;
  }

  private static String key(Executable executable) {
    String name = executable instanceof Constructor<?> ? "new" : executable.getName();
    return Arrays.stream(executable.getParameterTypes())
        .map(parameter -> ApiScope.renamed(parameter.getTypeName()))
        .collect(Collectors.joining(",", name + "(", ")"));
  }

  /**
   * Returns a type with its arguments. Type variables appear by position, because their names do
   * not affect callers.
   */
  static String describe(Type described) {
    if (described instanceof Class<?> raw) {
      return ApiScope.renamed(raw.getTypeName());
    } else if (described instanceof TypeVariable<?> variable) {
      GenericDeclaration owner = variable.getGenericDeclaration();
      String prefix = owner instanceof Class<?> ? "class#" : "method#";
      return prefix + List.of(owner.getTypeParameters()).indexOf(variable);
    } else if (described instanceof GenericArrayType array) {
      return describe(array.getGenericComponentType()) + "[]";
    } else if (described instanceof WildcardType wildcard) {
      return "? extends "
          + all(wildcard.getUpperBounds())
          + " super "
          + all(wildcard.getLowerBounds());
    }
    ParameterizedType parameterized = (ParameterizedType) described;
    return describe(parameterized.getRawType()) + all(parameterized.getActualTypeArguments());
  }

  static String all(Type[] described) {
    return Arrays.stream(described)
        .map(ApiMembers::describe)
        .collect(Collectors.joining(", ", "<", ">"));
  }

  /** Returns the type variables of a declaration, by their bounds. */
  static String variables(GenericDeclaration declaration) {
    return Arrays.stream(declaration.getTypeParameters())
        .map(variable -> all(variable.getBounds()))
        .collect(Collectors.joining(", ", "<", ">"));
  }
}
