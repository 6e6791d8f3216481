/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
final class JdkMapper implements PageMapper {
  private static final String DEVICE = "/dev/zero";

  /** Major number 1, minor number 5. */
  private static final long DEVICE_NUMBER = 0x105;

  /** The value of the JDK for a private mapping that can be written. */
  private static final int PRIVATE = 2;

  /** The classes that have had the methods, from JDK 17 to 25. */
  private static final String[] OWNERS = {
    "sun.nio.ch.UnixFileDispatcherImpl", "sun.nio.ch.FileDispatcherImpl"
  };

  /** Open as long as this object is reachable. */
  private final RandomAccessFile device;

  /** A reflective method, because linking a handle takes 20 ms at the start of a host. */
  private final Method map;

  /** A handle, because this must work in a full Java heap, and reflection allocates. */
  private final MethodHandle unmap;

  /** The channel; null where {@link #map} is static, and has the descriptor as first argument. */
  private final @Nullable FileChannel channel;

  private final @Nullable FileDescriptor descriptor;

  private JdkMapper(
      RandomAccessFile device,
      Method map,
      MethodHandle unmap,
      @Nullable FileChannel channel,
      @Nullable FileDescriptor descriptor) {
    this.device = device;
    this.map = map;
    this.unmap = unmap;
    this.channel = channel;
    this.descriptor = descriptor;
  }

  /** Returns a mapper, or null if this JVM or its container does not permit it. */
  static @Nullable PageMapper find() {
    try {
      if (!isDevice()) {
        return null;
      }
      RandomAccessFile device = new RandomAccessFile(DEVICE, "r");
      PageMapper mapper = null;
      try {
        mapper = PageMapper.checked(find(device));
      } finally {
        if (mapper == null) {
          device.close();
        }
      }
      return mapper;
    } catch (ReflectiveOperationException
        | IOException
        | RuntimeException
        | OutOfMemoryError
        | LinkageError notPermitted) {
      return null;
    }
  }

  /** Another file in its place would end somewhere, and its bytes need not be zeros. */
  private static boolean isDevice() throws IOException {
    return Files.getAttribute(Path.of(DEVICE), "unix:rdev").equals(DEVICE_NUMBER);
  }

  private static JdkMapper find(RandomAccessFile device) throws ReflectiveOperationException {
    FileChannel channel = device.getChannel();
    Class<?> channelType = channel.getClass();
    Method map = method(channelType, "map0", int.class, long.class, long.class, boolean.class);
    if (map != null) {
      return new JdkMapper(device, map, unmap(channelType), channel, null);
    }
    Field field = channelType.getDeclaredField("fd");
    field.setAccessible(true);
    FileDescriptor descriptor = (FileDescriptor) field.get(channel);
    for (String name : OWNERS) {
      Class<?> owner = ownerOrNull(name);
      map =
          owner == null
              ? null
              : method(
                  owner,
                  "map0",
                  FileDescriptor.class,
                  int.class,
                  long.class,
                  long.class,
                  boolean.class);
      if (owner != null && map != null) {
        return new JdkMapper(device, map, unmap(owner), null, descriptor);
      }
    }
    throw new NoSuchMethodException("map0");
  }

  /** Uses the JDK's own loader, because a host's loader may hide the package. */
  private static @Nullable Class<?> ownerOrNull(String name) {
    try {
      return Class.forName(name, true, null);
    } catch (ClassNotFoundException otherJdk) {
      return null;
    }
  }

  private static MethodHandle unmap(Class<?> owner) throws ReflectiveOperationException {
    Method found = method(owner, "unmap0", long.class, long.class);
    if (found == null) {
      throw new NoSuchMethodException("unmap0");
    }
    return MethodHandles.lookup().unreflect(found);
  }

  private static @Nullable Method method(Class<?> type, String name, Class<?>... parameters) {
    try {
      Method found = type.getDeclaredMethod(name, parameters);
      found.setAccessible(true);
      return found;
    } catch (NoSuchMethodException otherJdk) {
      return null;
    }
  }

  @Override
  public long map(long bytes) {
    try {
      Object address =
          channel == null
              ? map.invoke(null, descriptor, PRIVATE, 0L, bytes, false)
              : map.invoke(channel, PRIVATE, 0L, bytes, false);
      return (Long) address;
    } catch (ReflectiveOperationException refused) {
      OutOfMemoryError error =
          new OutOfMemoryError("cannot map " + bytes + " bytes: " + refused.getCause());
      error.initCause(refused);
      throw error;
    }
  }

  @Override
  public void unmap(long address, long bytes) {
    int result;
    try {
      result = (int) unmap.invokeExact(address, bytes);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable failed) {
      throw new IllegalStateException("cannot unmap " + bytes + " bytes", failed);
    }
    if (result != 0) {
      throw new IllegalStateException("cannot unmap " + bytes + " bytes: result " + result);
    }
  }

  @Override
  public MemoryWay way() {
    return MemoryWay.MAPPED_BY_JDK;
  }

  @Override
  public String toString() {
    return "mapper of " + device;
  }
}
