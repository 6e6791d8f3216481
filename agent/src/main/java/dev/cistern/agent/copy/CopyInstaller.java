/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.weave.ClassRenamer;
import dev.cistern.agent.weave.Structure;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts hook and bridge under one copy of Netty. Nothing here initialises a class of the host: that
 * is the host's to do, in its own order.
 */
final class CopyInstaller {
  /** What goes into the copy's own package; the first is what the woven allocators call. */
  private static final String[] HOOKS = {
    "bridge/io/netty/buffer/CisternHook.classdata",
    "bridge/io/netty/buffer/CisternView.classdata",
    "bridge/io/netty/buffer/CisternObserver.classdata"
  };

  /** Goes there too, where the copy has such events. */
  private static final String EVENTS = "bridge/io/netty/buffer/CisternEvents.classdata";

  /** The class that Netty's own count of direct memory calls. */
  private static final String MEMORY = "bridge/io/netty/util/internal/CisternMemory.classdata";

  private static final String[] BUFFER = {
    "bridge/dev/cistern/netty/pool/SlotByteBuf.classdata",
    "bridge/dev/cistern/netty/pool/CisternByteBuf.classdata"
  };
  private static final String BRIDGE = "dev.cistern.bridge.Bridge";

  private final Function<String, byte @Nullable []> jar;
  private final Map<String, Long> poolNumbers;
  private final JdkModules modules;
  private final CopyMemory memory;

  CopyInstaller(
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar,
      Map<String, Long> poolNumbers,
      CopyMemory memory) {
    this.jar = jar;
    this.poolNumbers = poolNumbers;
    this.memory = memory;
    this.modules = new JdkModules(instrumentation);
    modules.openRawMemory(CopyInstaller.class.getModule());
    modules.openDirectMemory(CopyInstaller.class.getModule());
  }

  /**
   * Checks the copy and opens its bridge.
   *
   * @throws RefusedException if the copy differs from what the bridge stands on
   * @throws ReflectiveOperationException if hook or bridge cannot be defined; other failures too
   */
  void install(NettyCopy copy, ClassLoader loader, Class<?> allocator)
      throws RefusedException, ReflectiveOperationException {
    Map<String, Long> numbers = new HashMap<>(poolNumbers);
    Structure structure = checkStructure(copy, loader, allocator);
    numbers.put("resetCount", structure.resetsCount() ? 1L : 0L);
    numbers.put("leakAware", structure.isLeakAware() ? 1L : 0L);
    copy.observationRefusal(structure.observationRefusal());
    numbers.put("events", structure.hasEvents() ? 1L : 0L);
    Class<?> buffers =
        Class.forName(
            copy.dottedPrefix() + ".buffer.AbstractReferenceCountedByteBuf", false, loader);
    ClassRenamer renamer =
        new ClassRenamer()
            .rename("io/netty/", copy.prefix() + '/')
            .rename("dev/cistern/netty42/", copy.prefix() + "/buffer/")
            .rename("sun/misc/Unsafe", "jdk/internal/misc/Unsafe");
    Class<?> hook = defineHooks(copy, allocator, renamer, structure.hasEvents());
    defineMemoryHook(copy, loader, renamer);
    BiFunction<String, Object, Object> bridge = openBridge(copy, loader, renamer, numbers);
    // from here on the host's own classes hold the bridge, and nothing of the agent does
    hook.getMethod("keep", Object.class).invoke(null, bridge);
    copy.bridge(bridge, buffers);
  }

  private Structure checkStructure(NettyCopy copy, ClassLoader loader, Class<?> allocator)
      throws RefusedException {
    byte[][] buffer = new byte[BUFFER.length][];
    for (int i = 0; i < BUFFER.length; i++) {
      buffer[i] = jarEntry(BUFFER[i]);
    }
    Structure structure = new Structure(copy.prefix(), new LoaderFiles(loader), buffer);
    String mismatch = structure.mismatch(allocator.getName().replace('.', '/'));
    if (mismatch != null) {
      throw new RefusedException(mismatch);
    }
    return structure;
  }

  private byte[] jarEntry(String name) throws RefusedException {
    byte[] bytes = jar.apply(name);
    if (bytes == null) {
      throw new RefusedException("the agent's jar has no " + name);
    }
    return bytes;
  }

  private Class<?> defineHooks(
      NettyCopy copy, Class<?> allocator, ClassRenamer renamer, boolean hasEvents)
      throws RefusedException, IllegalAccessException {
    if ("define".equals(System.getProperty("cistern.test.fault"))) {
      throw new RefusedException("injected fault");
    }
    modules.open(
        allocator.getModule(), copy.dottedPrefix() + ".buffer", CopyInstaller.class.getModule());
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(allocator, MethodHandles.lookup());
    Class<?>[] defined = new Class<?>[HOOKS.length];
    for (int i = 0; i < HOOKS.length; i++) {
      defined[i] = lookup.defineClass(renamer.apply(jarEntry(HOOKS[i])));
    }
    if (hasEvents) {
      Class<?> unused = lookup.defineClass(renamer.apply(jarEntry(EVENTS)));
    }
    return defined[0];
  }

  /** Netty's class that counts direct memory. */
  static Class<?> platform(NettyCopy copy, ClassLoader loader) throws ClassNotFoundException {
    return Class.forName(internals(copy) + ".PlatformDependent", false, loader);
  }

  private static String internals(NettyCopy copy) {
    return copy.dottedPrefix() + ".util.internal";
  }

  /** Once for each loader of Netty's internals, which copies of other classes may share. */
  private void defineMemoryHook(NettyCopy copy, ClassLoader loader, ClassRenamer renamer)
      throws RefusedException, ReflectiveOperationException {
    Class<?> platform = platform(copy, loader);
    try {
      Class<?> unused =
          Class.forName(internals(copy) + ".CisternMemory", false, platform.getClassLoader());
    } catch (ClassNotFoundException firstOne) {
      modules.open(platform.getModule(), internals(copy), CopyInstaller.class.getModule());
      Class<?> unused =
          MethodHandles.privateLookupIn(platform, MethodHandles.lookup())
              .defineClass(renamer.apply(jarEntry(MEMORY)));
    }
  }

  @SuppressWarnings("unchecked") // the bridge speaks JDK types only
  private BiFunction<String, Object, Object> openBridge(
      NettyCopy copy, ClassLoader loader, ClassRenamer renamer, Map<String, Long> numbers)
      throws ReflectiveOperationException {
    memory.prepare(() -> openLoader(ClassLoader.getPlatformClassLoader(), renamer));
    BridgeLoader bridgeLoader = openLoader(loader, renamer);
    Module bridge = bridgeLoader.getUnnamedModule();
    modules.open(platform(copy, loader).getModule(), internals(copy), bridge);
    return (BiFunction<String, Object, Object>)
        Class.forName(BRIDGE, true, bridgeLoader)
            .getMethod("open", String.class, Map.class, Set.class, AtomicLong.class)
            .invoke(
                null, copy.dottedPrefix(), numbers, memory.watch(bridgeLoader), memory.mappings());
  }

  /** Returns a loader of the pool's classes, to which the JDK's packages are open. */
  private BridgeLoader openLoader(ClassLoader parent, ClassRenamer renamer) {
    BridgeLoader loader = new BridgeLoader(parent, jar, renamer);
    Module module = loader.getUnnamedModule();
    modules.openRawMemory(module);
    modules.openDirectMemory(module);
    modules.openMappings(module);
    return loader;
  }
}
