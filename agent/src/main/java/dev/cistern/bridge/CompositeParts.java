/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that a composite buffer joins. Netty's own methods return slices of them, which they
 * would create for this purpose, so that these are read from private fields.
 */
final class CompositeParts {
  /** The fields; null if this version of Netty has others. */
  private static final @Nullable VarHandle COMPONENTS = field(CompositeByteBuf.class, "components");

  private static final @Nullable VarHandle SOURCE = COMPONENTS == null ? null : source(COMPONENTS);

  private CompositeParts() {}

  private static @Nullable VarHandle source(VarHandle components) {
    Class<?> component = components.varType().getComponentType();
    return component == null ? null : field(component, "srcBuf");
  }

  private static @Nullable VarHandle field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).unreflectVarHandle(field);
    } catch (ReflectiveOperationException otherNetty) {
      return null;
    }
  }

  /** Returns the buffers; an empty list if they are not known. */
  static List<ByteBuf> of(CompositeByteBuf buffer) {
    if (COMPONENTS == null || SOURCE == null) {
      return List.of();
    }
    Object[] components = (Object[]) COMPONENTS.get(buffer);
    List<ByteBuf> sources = new ArrayList<>(buffer.numComponents());
    for (Object component : components) {
      if (component != null && SOURCE.get(component) instanceof ByteBuf source) {
        sources.add(source);
      }
    }
    return sources;
  }
}
