/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.lang.reflect.Method;
import java.util.List;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Sets the groups for key exchange, which JDK 20 and later support. */
final class NamedGroups {
  private static final @Nullable Method SET = find();

  private NamedGroups() {}

  private static @Nullable Method find() {
    try {
      return SSLParameters.class.getMethod("setNamedGroups", String[].class);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  static boolean canBeSet() {
    return SET != null;
  }

  static void set(SSLParameters parameters, List<String> groups) {
    if (SET == null || groups.isEmpty()) {
      return;
    }
    try {
      SET.invoke(parameters, (Object) groups.toArray(new String[0]));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("SSLParameters.setNamedGroups", e);
    }
  }
}
