/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A value of Netty's, and the corresponding value of Cistern's. */
record Both(Object theirs, Object ours) {
  private static final String THEIR_ROOT = "io.netty.";
  private static final String OUR_ROOT = "dev.cistern.";
  private static final Map<Class<?>, Method[]> METHODS = new ConcurrentHashMap<>();

  /** Returns a pair with the same object for both libraries. */
  static Both same(Object value) {
    return new Both(value, value);
  }

  /** Returns Cistern's class of that name, such as {@code buffer.Unpooled}. */
  static Class<?> our(String name) {
    return load(OUR_ROOT + name);
  }

  static Class<?> their(String name) {
    return load(THEIR_ROOT + name);
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException missing) {
      throw new AssertionError(missing);
    }
  }

  /** Returns Cistern's type for one of Netty's; types of the JDK are the same for both. */
  static Class<?> ourType(Class<?> theirs) {
    if (theirs.isArray()) {
      return ourType(theirs.getComponentType()).arrayType();
    }
    String name = theirs.getName();
    return name.startsWith(THEIR_ROOT) ? our(name.substring(THEIR_ROOT.length())) : theirs;
  }

  /** Returns an array of the given component type, such as {@code buffer.ByteBuf}. */
  static Both array(String component, Both... elements) {
    Object theirs = Array.newInstance(their(component), elements.length);
    Object ours = Array.newInstance(our(component), elements.length);
    for (int i = 0; i < elements.length; i++) {
      Array.set(theirs, i, elements[i].theirs);
      Array.set(ours, i, elements[i].ours);
    }
    return new Both(theirs, ours);
  }

  /** Calls a method of a public type on both objects; arguments can also differ by library. */
  Both call(String type, String name, Object... arguments) {
    return new Both(
        invoke(their(type), theirs, name, arguments, true),
        invoke(our(type), ours, name, arguments, false));
  }

  /** Calls a static method of both libraries. */
  static Both make(String type, String name, Object... arguments) {
    return new Both(
        invoke(their(type), null, name, arguments, true),
        invoke(our(type), null, name, arguments, false));
  }

  /** Calls a constructor of both libraries. */
  static Both construct(String type, Object... arguments) {
    return new Both(
        construct(their(type), arguments, true), construct(our(type), arguments, false));
  }

  /** Reads a constant of both libraries. */
  static Both constant(String type, String name) {
    try {
      return new Both(their(type).getField(name).get(null), our(type).getField(name).get(null));
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError(type + "." + name, missing);
    }
  }

  private static Object[] side(Object[] arguments, boolean isTheirs) {
    Object[] side = new Object[arguments.length];
    for (int i = 0; i < side.length; i++) {
      side[i] =
          arguments[i] instanceof Both both ? isTheirs ? both.theirs : both.ours : arguments[i];
    }
    return side;
  }

  private static Object construct(Class<?> type, Object[] arguments, boolean isTheirs) {
    Object[] values = side(arguments, isTheirs);
    for (Constructor<?> constructor : type.getConstructors()) {
      if (accepts(constructor.getParameterTypes(), values)) {
        try {
          return constructor.newInstance(values);
        } catch (ReflectiveOperationException failed) {
          throw new LinkageError(constructor.toString(), failed);
        }
      }
    }
    throw new AssertionError("no such constructor of " + type);
  }

  private static Object invoke(
      Class<?> type, Object target, String name, Object[] arguments, boolean isTheirs) {
    Object[] values = side(arguments, isTheirs);
    for (Method method : METHODS.computeIfAbsent(type, Class::getMethods)) {
      if (method.getName().equals(name) && accepts(method.getParameterTypes(), values)) {
        try {
          return method.invoke(target, values);
        } catch (InvocationTargetException thrown) {
          throw new AssertionError(method.toString(), thrown.getCause());
        } catch (IllegalAccessException hidden) {
          throw new AssertionError(hidden);
        }
      }
    }
    throw new AssertionError("no " + name + " of these arguments in " + type);
  }

  private static boolean accepts(Class<?>[] types, Object[] values) {
    if (types.length != values.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      boolean isNumber = types[i] == int.class && values[i] instanceof Integer;
      boolean isFlag = types[i] == boolean.class && values[i] instanceof Boolean;
      if (!isNumber && !isFlag && !types[i].isInstance(values[i])) {
        return false;
      }
    }
    return true;
  }
}
