/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** A public method of Netty's, and Cistern's method of the same name and parameters. */
record MethodPair(Method theirs, Method ours) {
  /** The outcome of a call: a returned value or an exception. */
  record Outcome(Object value, Throwable thrown) {
    /** Returns a text that is the same for both libraries if their outcomes are. */
    String comparable() {
      return thrown == null ? Shown.of(value) : Shown.exception(thrown);
    }
  }

  /**
   * Returns the methods of a type, such as {@code buffer.ByteBuf}, in an order that does not
   * change. It leaves out those that Cistern lacks, which the comparison of the API reports.
   */
  static List<MethodPair> of(String type, Predicate<Method> wanted) {
    List<MethodPair> pairs = new ArrayList<>();
    for (Method method : Both.their(type).getMethods()) {
      if (method.getDeclaringClass() != Object.class && !method.isBridge() && wanted.test(method)) {
        Method ours = ours(Both.our(type), method);
        if (ours != null) {
          pairs.add(new MethodPair(method, ours));
        }
      }
    }
    pairs.sort(Comparator.comparing(pair -> pair.ours().toString()));
    return pairs;
  }

  private static Method ours(Class<?> type, Method theirs) {
    try {
      Class<?>[] types =
          Arrays.stream(theirs.getParameterTypes()).map(Both::ourType).toArray(Class<?>[]::new);
      return type.getMethod(theirs.getName(), types);
    } catch (NoSuchMethodException missing) {
      return null;
    } catch (AssertionError missingType) {
      return null;
    }
  }

  static boolean isStatic(Method method) {
    return Modifier.isStatic(method.getModifiers());
  }

  static boolean isInstance(Method method) {
    return !isStatic(method);
  }

  String name() {
    return ours.getName();
  }

  int parameterCount() {
    return ours.getParameterCount();
  }

  static Outcome call(Method method, Object target, Object[] arguments) {
    try {
      return new Outcome(method.invoke(target, arguments), null);
    } catch (InvocationTargetException thrown) {
      return new Outcome(null, thrown.getCause());
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
