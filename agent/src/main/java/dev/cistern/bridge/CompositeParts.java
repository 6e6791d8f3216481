/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that a composite buffer joins. They are read from private fields, because Netty's own
 * methods would create slices of them.
 */
final class CompositeParts {
  /**
   * Limit of the parts that are visited. The latest parts are visited, because a message body may
   * have thousands.
   */
  static final int MAX_PARTS = 64;

  /** The field of the components; null if this version of Netty has different fields. */
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
    } catch (ReflectiveOperationException | LinkageError otherNetty) {
      return null;
    }
  }

  /**
   * Passes the latest buffers to {@code visitor}; none if they cannot be read. The wrapper of
   * Netty's leak detector has no parts.
   */
  static void visit(CompositeByteBuf buffer, Consumer<ByteBuf> visitor) {
    if (COMPONENTS == null || SOURCE == null) {
      return;
    }
    Object[] components = (Object[]) COMPONENTS.get(buffer);
    if (components == null) {
      return;
    }
    int end = Math.min(components.length, buffer.numComponents());
    for (int i = Math.max(0, end - MAX_PARTS); i < end; i++) {
      Object component = components[i];
      if (component != null && SOURCE.get(component) instanceof ByteBuf source) {
        visitor.accept(source);
      }
    }
  }
}
