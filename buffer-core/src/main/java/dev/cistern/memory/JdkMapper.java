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
 * A mapper of {@code /dev/zero}, by the native methods behind {@link FileChannel#map}. They are
 * private, so the package {@code sun.nio.ch} must be open to this class: the agent opens it, and so
 * does {@code --add-opens java.base/sun.nio.ch=ALL-UNNAMED}. The public method cannot map a device,
 * which has no size.
 */
final class JdkMapper extends PageMapper {
  private static final String DEVICE = "/dev/zero";

  /**
   * The device number: major number 1, minor number 5. Another file with this name need not contain
   * zeros.
   */
  private static final long DEVICE_NUMBER = 0x105;

  /** The value that the JDK uses for a private mapping that can be written. */
  private static final int PRIVATE = 2;

  /** The classes that declare the methods, from JDK 25 to 17. */
  private static final String[] OWNERS = {
    "UnixFileDispatcherImpl", "FileDispatcherImpl", "FileChannelImpl"
  };

  /** The device, which is open as long as this object is reachable. */
  private final RandomAccessFile device = new RandomAccessFile(DEVICE, "r");

  /**
   * The method that maps. It is reflective, because linking a method handle would delay the start
   * of the host JVM by 20 ms.
   */
  private final Method map;

  /**
   * @param unmap the method that unmaps. It is a method handle, because it must work when the Java
   *     heap is full, and reflection allocates
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

  /**
   * Returns a method, or null. Uses the class loader of the JDK, because a class loader of the host
   * JVM may hide the package.
   */
  private static @Nullable Method methodOrNull(String owner, String name) {
    try {
      for (Method method : Class.forName("sun.nio.ch." + owner, true, null).getDeclaredMethods()) {
        if (method.getName().equals(name)) {
          method.setAccessible(true);
          return method;
        }
      }
    } catch (ClassNotFoundException otherJdk) {
      // try the next one, if any
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
