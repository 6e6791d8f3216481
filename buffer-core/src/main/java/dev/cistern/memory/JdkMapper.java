/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@code /dev/zero} by the native methods behind {@link FileChannel#map}. They are private, so
 * that the package {@code sun.nio.ch} must be open to this class: the agent opens it, and {@code
 * --add-opens java.base/sun.nio.ch=ALL-UNNAMED} does. The public method cannot map a device, which
 * has no size.
 */
final class JdkMapper extends PageMapper {
  private static final String DEVICE = "/dev/zero";

  /** Major number 1, minor number 5. Another file in its place need not contain zeros. */
  private static final long DEVICE_NUMBER = 0x105;

  /** The value of the JDK for a private mapping that can be written. */
  private static final int PRIVATE = 2;

  /** The classes that have had the methods, from JDK 25 to 17. */
  private static final String[] OWNERS = {
    "UnixFileDispatcherImpl", "FileDispatcherImpl", "FileChannelImpl"
  };

  /** Open as long as this object is reachable. */
  private final RandomAccessFile device = new RandomAccessFile(DEVICE, "r");

  /** A reflective method, because linking a handle takes 20 ms at the start of a host. */
  private final Method map;

  /**
   * @param unmap a handle, because it must work in a full Java heap, and reflection allocates
   */
  private JdkMapper(Method map, MethodHandle unmap) throws IOException {
    super(MemoryWay.MAPPED_BY_JDK, unmap);
    this.map = map;
  }

  /** Returns a mapper, or null if this JVM or its container has no device. */
  static @Nullable PageMapper search() throws ReflectiveOperationException, IOException {
    if (!Files.getAttribute(Path.of(DEVICE), "unix:rdev").equals(DEVICE_NUMBER)) {
      return null;
    }
    for (String owner : OWNERS) {
      Method map = methodOrNull(owner, "map0");
      Method unmap = methodOrNull(owner, "unmap0");
      if (map != null && unmap != null) {
        return new JdkMapper(map, MethodHandles.lookup().unreflect(unmap));
      }
    }
    return null;
  }

  /** Uses the JDK's own loader, because a host's loader may hide the package. */
  private static @Nullable Method methodOrNull(String owner, String name) {
    try {
      for (Method method : Class.forName("sun.nio.ch." + owner, true, null).getDeclaredMethods()) {
        if (method.getName().equals(name)) {
          method.setAccessible(true);
          return method;
        }
      }
    } catch (ClassNotFoundException otherJdk) {
      // the next one, or none
    }
    return null;
  }

  @Override
  long map(long bytes) {
    try {
      Object address =
          Modifier.isStatic(map.getModifiers())
              ? map.invoke(null, device.getFD(), PRIVATE, 0L, bytes, false)
              : map.invoke(device.getChannel(), PRIVATE, 0L, bytes, false);
      return (Long) address;
    } catch (ReflectiveOperationException | IOException refused) {
      OutOfMemoryError error =
          new OutOfMemoryError("cannot map " + bytes + " bytes: " + refused.getCause());
      error.initCause(refused);
      throw error;
    }
  }
}
