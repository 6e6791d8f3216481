/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mapper that calls the C functions {@code mmap} and {@code munmap} through {@code
 * java.lang.foreign} (JEP 454), if the JVM's command line grants native access. It uses reflection,
 * because the library also runs on JDK 17.
 */
final class LinkerMapper extends PageMapper {
  private static final String FOREIGN = "java.lang.foreign.";

  private static final int READ_WRITE = 3;

  /** The value of {@code MAP_PRIVATE | MAP_ANONYMOUS} on Linux. */
  private static final int PRIVATE_ANONYMOUS = 0x22;

  private static final long FAILED = -1;

  private final MethodHandle map;

  private LinkerMapper(MethodHandle map, MethodHandle unmap) {
    super(MemoryWay.MAPPED_BY_LINKER, unmap);
    this.map = map;
  }

  /** Returns a mapper, or null without native access. */
  static @Nullable PageMapper search() throws ReflectiveOperationException {
    if (!Platform.IS_LINUX || !isNativeAccessGranted()) {
      return null;
    }
    Class<?> values = Class.forName(FOREIGN + "ValueLayout");
    Object number = values.getField("JAVA_LONG").get(null);
    Object flags = values.getField("JAVA_INT").get(null);
    return new LinkerMapper(
        handle("mmap", number, number, number, flags, flags, flags, number),
        handle("munmap", flags, number, number));
  }

  private static boolean isNativeAccessGranted() throws ReflectiveOperationException {
    Method granted = Module.class.getMethod("isNativeAccessEnabled"); // from JDK 22 on
    return (Boolean) granted.invoke(LinkerMapper.class.getModule());
  }

  private static MethodHandle handle(String function, Object result, Object... parameters)
      throws ReflectiveOperationException {
    Object list = Array.newInstance(Class.forName(FOREIGN + "MemoryLayout"), parameters.length);
    System.arraycopy(parameters, 0, list, 0, parameters.length);
    Object descriptor = call("FunctionDescriptor", "of", null, result, list);
    Object linker = call("Linker", "nativeLinker", null);
    Object lookup = call("Linker", "defaultLookup", linker);
    Optional<?> symbol = (Optional<?>) call("SymbolLookup", "find", lookup, function);
    Object noOptions = Array.newInstance(Class.forName(FOREIGN + "Linker$Option"), 0);
    return (MethodHandle)
        call("Linker", "downcallHandle", linker, symbol.orElseThrow(), descriptor, noOptions);
  }

  /** Calls the method with this name and number of parameters. */
  private static Object call(String type, String name, @Nullable Object target, Object... arguments)
      throws ReflectiveOperationException {
    for (Method method : Class.forName(FOREIGN + type).getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        return method.invoke(target, arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }

  @Override
  long map(long bytes) {
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
}
