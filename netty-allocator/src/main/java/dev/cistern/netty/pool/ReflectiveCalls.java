/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty.pool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Calls of methods that are found by name, because not every version of Netty or the JDK has them.
 */
final class ReflectiveCalls {
  private ReflectiveCalls() {}

  /**
   * Calls a method.
   *
   * @throws Error if the method threw it, such as OutOfDirectMemoryError
   * @throws IllegalStateException if the call failed in another way
   */
  static Object invoke(Method method, @Nullable Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failed) {
      Throwable cause = failed.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(method + " failed", cause);
    } catch (IllegalAccessException closed) {
      throw new IllegalStateException(method + " is not accessible", closed);
    }
  }
}
