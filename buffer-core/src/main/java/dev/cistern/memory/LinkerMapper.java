/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps memory by the C functions {@code mmap} and {@code munmap}, through {@code java.lang.foreign}
 * (JEP 454), where the JVM's command line grants native access. By reflection, because the library
 * runs on JDK 17, too.
 */
final class LinkerMapper implements PageMapper {
  private static final String FOREIGN = "java.lang.foreign.";

  private static final int READ_WRITE = 3;

  /** {@code MAP_PRIVATE | MAP_ANONYMOUS} of Linux. */
  private static final int PRIVATE_ANONYMOUS = 0x22;

  private static final long FAILED = -1;

  private final MethodHandle map;
  private final MethodHandle unmap;

  private LinkerMapper(MethodHandle map, MethodHandle unmap) {
    this.map = map;
    this.unmap = unmap;
  }

  /** Returns a mapper, or null without native access. */
  static @Nullable PageMapper find() {
    try {
      if (!Platform.IS_LINUX || !isNativeAccessGranted()) {
        return null;
      }
      Class<?> values = Class.forName(FOREIGN + "ValueLayout");
      Object number = values.getField("JAVA_LONG").get(null);
      Object flags = values.getField("JAVA_INT").get(null);
      return PageMapper.checked(
          new LinkerMapper(
              handle("mmap", number, number, number, flags, flags, flags, number),
              handle("munmap", flags, number, number)));
    } catch (ReflectiveOperationException
        | RuntimeException
        | OutOfMemoryError
        | LinkageError notPermitted) {
      return null;
    }
  }

  private static boolean isNativeAccessGranted() throws ReflectiveOperationException {
    Method granted = Module.class.getMethod("isNativeAccessEnabled"); // from JDK 22 on
    return (Boolean) granted.invoke(LinkerMapper.class.getModule());
  }

  private static MethodHandle handle(String function, Object result, Object... parameters)
      throws ReflectiveOperationException {
    Class<?> linkers = Class.forName(FOREIGN + "Linker");
    Class<?> layouts = Class.forName(FOREIGN + "MemoryLayout");
    Class<?> descriptors = Class.forName(FOREIGN + "FunctionDescriptor");
    Object list = Array.newInstance(layouts, parameters.length);
    System.arraycopy(parameters, 0, list, 0, parameters.length);
    Object descriptor =
        descriptors.getMethod("of", layouts, list.getClass()).invoke(null, result, list);
    Object linker = linkers.getMethod("nativeLinker").invoke(null);
    Object lookup = linkers.getMethod("defaultLookup").invoke(linker);
    Optional<?> symbol =
        (Optional<?>)
            Class.forName(FOREIGN + "SymbolLookup")
                .getMethod("find", String.class)
                .invoke(lookup, function);
    Class<?> options = Class.forName(FOREIGN + "Linker$Option");
    Object noOptions = Array.newInstance(options, 0);
    return (MethodHandle)
        linkers
            .getMethod(
                "downcallHandle",
                Class.forName(FOREIGN + "MemorySegment"),
                descriptors,
                noOptions.getClass())
            .invoke(linker, symbol.orElseThrow(), descriptor, noOptions);
  }

  @Override
  public long map(long bytes) {
    long address;
    try {
      address = (long) map.invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot call mmap", impossible);
    }
    if (address == FAILED) {
      throw new OutOfMemoryError("cannot map " + bytes + " bytes");
    }
    return address;
  }

  @Override
  public void unmap(long address, long bytes) {
    int result;
    try {
      result = (int) unmap.invokeExact(address, bytes);
    } catch (RuntimeException | Error failed) {
      throw failed;
    } catch (Throwable impossible) {
      throw new IllegalStateException("cannot call munmap", impossible);
    }
    if (result != 0) {
      throw new IllegalStateException("cannot unmap " + bytes + " bytes: result " + result);
    }
  }

  @Override
  public MemoryWay way() {
    return MemoryWay.MAPPED_BY_LINKER;
  }
}
