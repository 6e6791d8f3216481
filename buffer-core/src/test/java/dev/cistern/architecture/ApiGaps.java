/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.Charset;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Differences between Netty's API and Cistern's that break code whose imports are changed. A gap is
 * a line of text: type, member, and what is wrong.
 *
 * <p>{@link #main} prints all gaps, including the accepted exceptions.
 */
final class ApiGaps {
  /** Methods that are deprecated in Netty, but that Cistern offers nevertheless. */
  private static final Set<String> WANTED_NONETHELESS =
      Set.of("order()", "order(java.nio.ByteOrder)");

  private final Set<String> gaps = new TreeSet<>();
  private final Set<String> scope;

  private ApiGaps(Set<String> scope) {
    this.scope = scope;
  }

  public static void main(String[] arguments) throws IOException {
    find().forEach(System.out::println);
  }

  static Set<String> find() throws IOException {
    var types = ApiScope.types();
    ApiGaps found = new ApiGaps(types.keySet());
    types.values().forEach(theirs -> found.compare(theirs, ours(theirs)));
    return found.gaps;
  }

  /** Returns the gaps between two types that need not have the same name. */
  static Set<String> between(Class<?> theirs, Class<?> ours) {
    ApiGaps found = new ApiGaps(Set.of());
    found.compare(theirs, ours);
    return found.gaps;
  }

  private static Class<?> ours(Class<?> theirs) {
    return ApiScope.find(ApiScope.renamed(theirs.getName()));
  }

  private void compare(Class<?> theirs, Class<?> ours) {
    String name = ApiScope.shortened(theirs.getName());
    if (ours == null) {
      gaps.add(name + ": missing");
      return;
    }
    ApiMembers ofTheirs = new ApiMembers(theirs);
    ApiMembers ofOurs = new ApiMembers(ours);
    compareTypes(name, theirs, ours, ofTheirs, ofOurs);
    boolean isExtendable = ofTheirs.isExtendable();
    ofTheirs
        .methods()
        .forEach(
            (key, method) -> {
              if (isWanted(ofTheirs, key)) {
                String place = name + "." + ApiScope.shortened(key);
                compareMethods(place, method, ofOurs.methods().get(key), isExtendable);
              }
            });
    ofTheirs
        .constructors()
        .forEach(
            (key, constructor) -> {
              if (isWanted(ofTheirs, key)) {
                String place = name + "." + ApiScope.shortened(key);
                compareConstructors(place, constructor, ofOurs.constructors().get(key));
              }
            });
    ofTheirs
        .fields()
        .forEach(
            (key, field) -> {
              if (isWanted(ofTheirs, key)) {
                compareFields(name + "." + key, field, ofOurs.fields().get(key));
              }
            });
    if (isExtendable) {
      findNewDuties(name, ofTheirs, ofOurs);
    }
  }

  private static boolean isWanted(ApiMembers members, String key) {
    return !members.isDeprecated(key) || WANTED_NONETHELESS.contains(key);
  }

  private void compareTypes(
      String name, Class<?> theirs, Class<?> ours, ApiMembers ofTheirs, ApiMembers ofOurs) {
    expect(Modifier.isPublic(ours.getModifiers()), name + ": not public", theirs.getModifiers());
    check(theirs.isInterface() == ours.isInterface(), name + ": class or interface");
    check(theirs.isEnum() == ours.isEnum(), name + ": enum or not");
    boolean isNewlyAbstract =
        Modifier.isAbstract(ours.getModifiers()) && !Modifier.isAbstract(theirs.getModifiers());
    check(!isNewlyAbstract, name + ": is abstract");
    check(
        Modifier.isStatic(ours.getModifiers()) == Modifier.isStatic(theirs.getModifiers()),
        name + ": static or not");
    check(!ofTheirs.isExtendable() || ofOurs.isExtendable(), name + ": cannot be extended");
    check(
        ApiMembers.variables(theirs).equals(ApiMembers.variables(ours)), name + ": type variables");
    compareSupertypes(name, theirs, theirs, ours);
  }

  private void expect(boolean isPublic, String gap, int theirModifiers) {
    check(isPublic || !Modifier.isPublic(theirModifiers), gap);
  }

  /** Compares the supertypes that come from the JDK, and those of Netty that Cistern offers. */
  private void compareSupertypes(String name, Class<?> from, Class<?> theirs, Class<?> ours) {
    compareSupertype(name, from.getSuperclass(), theirs, ours);
    for (Class<?> parent : from.getInterfaces()) {
      compareSupertype(name, parent, theirs, ours);
    }
  }

  private void compareSupertype(String name, Class<?> parent, Class<?> theirs, Class<?> ours) {
    if (parent == null) {
      return;
    }
    boolean isNettys = parent.getName().startsWith(ApiScope.THEIRS);
    Class<?> wanted = isNettys ? ours(parent) : parent;
    if (!isNettys || scope.contains(parent.getName())) {
      String gap = name + ": is no " + ApiScope.shortened(parent.getName());
      check(wanted != null && wanted.isAssignableFrom(ours), gap);
    }
    compareSupertypes(name, parent, theirs, ours);
  }

  private void compareMethods(String place, Method theirs, Method ours, boolean isExtendable) {
    if (ours == null) {
      gaps.add(place + ": missing");
      return;
    }
    compareModifiers(place, theirs, ours);
    check(
        returnsAsMuch(theirs, ours),
        place + ": returns " + ApiScope.shortened(ours.getReturnType().getName()));
    check(throwsNoMore(theirs, ours), place + ": throws more");
    check(isSameGenerically(theirs, ours), place + ": generic signature");
    if (isExtendable) {
      boolean isNewlyFinal =
          Modifier.isFinal(ours.getModifiers()) && !Modifier.isFinal(theirs.getModifiers());
      check(!isNewlyFinal, place + ": is final");
      check(!ApiMembers.isAbstract(ours) || ApiMembers.isAbstract(theirs), place + ": is abstract");
    }
  }

  private void compareModifiers(String place, Member theirs, Member ours) {
    int visibility = Modifier.PUBLIC | Modifier.PROTECTED;
    check(
        (theirs.getModifiers() & visibility) == (ours.getModifiers() & visibility),
        place + ": public or protected");
    check(
        Modifier.isStatic(theirs.getModifiers()) == Modifier.isStatic(ours.getModifiers()),
        place + ": static or not");
  }

  private static boolean returnsAsMuch(Method theirs, Method ours) {
    String wanted = ApiScope.renamed(theirs.getReturnType().getName());
    if (ours.getReturnType().getName().equals(wanted)) {
      return true;
    }
    Class<?> type = ApiScope.find(wanted);
    return type != null && type.isAssignableFrom(ours.getReturnType());
  }

  private static boolean throwsNoMore(Executable theirs, Executable ours) {
    for (Class<?> thrown : ours.getExceptionTypes()) {
      if (!isUnchecked(thrown) && !isDeclared(theirs, thrown)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnchecked(Class<?> thrown) {
    return RuntimeException.class.isAssignableFrom(thrown) || Error.class.isAssignableFrom(thrown);
  }

  private static boolean isDeclared(Executable theirs, Class<?> thrown) {
    for (Class<?> declared : theirs.getExceptionTypes()) {
      Class<?> wanted = ApiScope.find(ApiScope.renamed(declared.getName()));
      if (wanted != null && wanted.isAssignableFrom(thrown)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSameGenerically(Method theirs, Method ours) {
    boolean isSameReturn =
        ApiMembers.describe(theirs.getGenericReturnType())
            .equals(ApiMembers.describe(ours.getGenericReturnType()));
    boolean isSubtype =
        !ApiScope.renamed(theirs.getReturnType().getName()).equals(ours.getReturnType().getName());
    return (isSameReturn || isSubtype)
        && isSameParameters(theirs, ours)
        && ApiMembers.variables(theirs).equals(ApiMembers.variables(ours));
  }

  private static boolean isSameParameters(Executable theirs, Executable ours) {
    return theirs.isVarArgs() == ours.isVarArgs()
        && ApiMembers.all(theirs.getGenericParameterTypes())
            .equals(ApiMembers.all(ours.getGenericParameterTypes()));
  }

  private void compareConstructors(String place, Constructor<?> theirs, Constructor<?> ours) {
    if (ours == null) {
      gaps.add(place + ": missing");
      return;
    }
    compareModifiers(place, theirs, ours);
    check(throwsNoMore(theirs, ours), place + ": throws more");
    check(isSameParameters(theirs, ours), place + ": generic signature");
  }

  private void compareFields(String place, Field theirs, Field ours) {
    if (ours == null) {
      gaps.add(place + ": missing");
      return;
    }
    compareModifiers(place, theirs, ours);
    String wanted = ApiMembers.describe(theirs.getGenericType());
    check(wanted.equals(ApiMembers.describe(ours.getGenericType())), place + ": type");
    check(
        Modifier.isFinal(theirs.getModifiers()) == Modifier.isFinal(ours.getModifiers()),
        place + ": final or not");
    if (isComparable(theirs) && isComparable(ours)) {
      check(Objects.equals(value(theirs), value(ours)), place + ": value " + value(ours));
    }
  }

  private static boolean isComparable(Field field) {
    Class<?> type = field.getType();
    boolean isValue = type.isPrimitive() || type == String.class || type == Charset.class;
    return isValue
        && Modifier.isStatic(field.getModifiers())
        && Modifier.isPublic(field.getModifiers());
  }

  private static Object value(Field constant) {
    try {
      return constant.get(null);
    } catch (IllegalAccessException hidden) {
      throw new AssertionError(hidden);
    }
  }

  /** Adds a gap for each abstract method that Netty does not require of an implementation. */
  private void findNewDuties(String name, ApiMembers theirs, ApiMembers ours) {
    ours.methods()
        .forEach(
            (key, method) -> {
              if (ApiMembers.isAbstract(method) && !theirs.methods().containsKey(key)) {
                gaps.add(name + "." + ApiScope.shortened(key) + ": new and abstract");
              }
            });
    for (String key : ours.hiddenAbstractMethods()) {
      gaps.add(
          name + "." + ApiScope.shortened(key) + ": abstract, and hidden from implementations");
    }
  }

  private void check(boolean isRight, String gap) {
    if (!isRight) {
      gaps.add(gap);
    }
  }
}
