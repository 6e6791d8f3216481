/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.weave.ClassRenamer;
import dev.cistern.agent.weave.CompatibilityCheck;
import dev.cistern.bridge.api.BridgeOptions;
import dev.cistern.bridge.api.NettyBridge;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Defines the hook classes and the bridge of a Netty copy. Nothing here initializes a class of the
 * host: the host does that in its own order. The agent's thread only.
 */
final class BridgeInstaller {
  /** Classes for the copy's buffer package. The instrumented allocators call the first one. */
  private static final String[] HOOKS = {
    "CisternHook", "CisternMemoryMetrics", "CisternObserver", "CisternTrackers"
  };

  /** A class for the same package, if the copy's recording wrapper accepts a tracker. */
  private static final String LEAK_AWARE = "CisternLeakAwareByteBuf";

  /** A class for the same package, if the copy has flight recorder events. */
  private static final String EVENTS = "CisternEvents";

  /** A class for the same package, if holders of buffers can be observed. */
  private static final String HOLDERS = "CisternHolders";

  /** The class that registrations of channels call. */
  private static final String CHANNELS = "CisternChannels";

  private static final String BUFFER_HOOKS = "bridge/io/netty/buffer/";

  /** The class that Netty's own count of direct memory calls. */
  private static final String MEMORY = "bridge/io/netty/util/internal/CisternMemory.classdata";

  private static final String SUFFIX = ".classdata";
  private static final String BRIDGE = "dev.cistern.bridge.Bridge";

  private final Function<String, byte @Nullable []> jar;
  private final BridgeOptions.Settings settings;
  private final JdkModules modules;
  private final CopyMemory memory;

  /** The result of the last {@link #check}, for the steps that follow it. */
  private @Nullable CompatibilityCheck checked;

  BridgeInstaller(
      Instrumentation instrumentation,
      Function<String, byte @Nullable []> jar,
      BridgeOptions.Settings settings,
      CopyMemory memory) {
    this.jar = jar;
    this.settings = settings;
    this.memory = memory;
    this.modules = new JdkModules(instrumentation);
  }

  /**
   * Compares the copy with what the bridge needs.
   *
   * @throws ActivationException if it differs
   * @throws ClassNotFoundException if the loader cannot define the allocator class
   */
  void check(NettyCopy copy, ClassLoader loader)
      throws ActivationException, ClassNotFoundException {
    modules.openRawMemory(BridgeInstaller.class.getModule());
    modules.openDirectMemory(BridgeInstaller.class.getModule());
    boolean unused = JdkModules.isInitialized(Object.class); // fails here if not supported
    CompatibilityCheck check =
        new CompatibilityCheck(
            copy.prefix(), new LoaderFiles(loader), jarEntry(CompatibilityCheck.LIST));
    String mismatch = check.mismatch(allocator(copy, loader).getName().replace('.', '/'));
    if (mismatch != null) {
      throw new ActivationException(mismatch);
    }
    copy.observationRefusal(check.observationRefusal());
    copy.holdingClasses(check.holdingClasses());
    checked = check;
  }

  private CompatibilityCheck checked() {
    return Objects.requireNonNull(checked, "check() has not run");
  }

  private static Class<?> allocator(NettyCopy copy, ClassLoader loader)
      throws ClassNotFoundException {
    return Class.forName(copy.allocators().iterator().next(), false, loader);
  }

  private byte[] jarEntry(String name) throws ActivationException {
    byte[] bytes = jar.apply(name);
    if (bytes == null) {
      throw new ActivationException("the agent's jar has no " + name);
    }
    return bytes;
  }

  private static ClassRenamer renamer(NettyCopy copy) {
    return new ClassRenamer()
        .rename("io/netty/", copy.prefix() + '/')
        .rename("dev/cistern/netty42/", copy.prefix() + "/buffer/")
        .rename("sun/misc/Unsafe", "jdk/internal/misc/Unsafe");
  }

  /**
   * Defines the classes in the copy's own packages.
   *
   * @throws ActivationException if the jar lacks one
   * @throws ReflectiveOperationException if the JVM refuses one
   */
  void defineHooks(NettyCopy copy, ClassLoader loader)
      throws ActivationException, ReflectiveOperationException {
    Class<?> allocator = allocator(copy, loader);
    modules.open(
        allocator.getModule(), copy.dottedPrefix() + ".buffer", BridgeInstaller.class.getModule());
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(allocator, MethodHandles.lookup());
    for (String hook : HOOKS) {
      define(hook, copy, lookup);
    }
    if (checked().isLeakAware()) {
      define(LEAK_AWARE, copy, lookup);
    }
    if (checked().hasEvents()) {
      define(EVENTS, copy, lookup);
    }
    if (checked().hasHolders()) {
      define(HOLDERS, copy, lookup);
    }
    defineMemoryHook(copy, loader);
    if (checked().hasChannels()) {
      defineChannelHook(copy, loader);
    }
  }

  private void define(String hook, NettyCopy copy, MethodHandles.Lookup lookup)
      throws ActivationException, IllegalAccessException {
    define(copy.dottedPrefix() + ".buffer." + hook, BUFFER_HOOKS + hook + SUFFIX, copy, lookup);
  }

  /**
   * Defines a class in the loader of the lookup's class. A detached agent may have left it there:
   * that class is the same, because a JVM has one agent jar. A class of a parent loader is a
   * different one. It must not be looked up before, because the JVM would remember it for this
   * loader.
   */
  private void define(String name, String entry, NettyCopy copy, MethodHandles.Lookup lookup)
      throws ActivationException, IllegalAccessException {
    byte[] classFile = renamer(copy).apply(jarEntry(entry));
    try {
      Class<?> unused = lookup.defineClass(classFile);
    } catch (LinkageError known) {
      ClassLoader loader = lookup.lookupClass().getClassLoader();
      Class<?> found = HostClasses.find(name, loader);
      if (found == null || found.getClassLoader() != loader) {
        throw known;
      }
    }
  }

  /** Returns Netty's class that counts direct memory. */
  static Class<?> platform(NettyCopy copy, ClassLoader loader) throws ClassNotFoundException {
    return Class.forName(internals(copy) + ".PlatformDependent", false, loader);
  }

  private static String internals(NettyCopy copy) {
    return copy.dottedPrefix() + ".util.internal";
  }

  /**
   * Defines the class that Netty's count of direct memory calls. Several copies of Netty's buffers
   * may share the loader of its internals.
   */
  private void defineMemoryHook(NettyCopy copy, ClassLoader loader)
      throws ActivationException, ReflectiveOperationException {
    Class<?> platform = platform(copy, loader);
    modules.open(platform.getModule(), internals(copy), BridgeInstaller.class.getModule());
    define(
        internals(copy) + ".CisternMemory",
        MEMORY,
        copy,
        MethodHandles.privateLookupIn(platform, MethodHandles.lookup()));
  }

  private static String channelHook(NettyCopy copy) {
    return copy.dottedPrefix() + ".channel." + CHANNELS;
  }

  private void defineChannelHook(NettyCopy copy, ClassLoader loader)
      throws ActivationException, ReflectiveOperationException {
    Class<?> channel = Class.forName(copy.dottedPrefix() + ".channel.Channel", false, loader);
    modules.open(channel.getModule(), channel.getPackageName(), BridgeInstaller.class.getModule());
    define(
        channelHook(copy),
        "bridge/io/netty/channel/" + CHANNELS + SUFFIX,
        copy,
        MethodHandles.privateLookupIn(channel, MethodHandles.lookup()));
  }

  /**
   * Creates the bridge. From then on the host's own classes hold it, and the agent does not.
   *
   * @throws ReflectiveOperationException if it cannot be created
   */
  void openBridge(NettyCopy copy, ClassLoader loader) throws ReflectiveOperationException {
    CompatibilityCheck check = checked();
    checked = null;
    ClassRenamer renamer = renamer(copy);
    memory.prepare(() -> openLoader(ClassLoader.getPlatformClassLoader(), renamer));
    BridgeLoader bridgeLoader = openLoader(loader, renamer);
    openCopy(copy, loader, bridgeLoader.getUnnamedModule());
    BridgeOptions options =
        new BridgeOptions(
            copy.dottedPrefix(),
            settings,
            check.hasResetCount(),
            check.isLeakAware(),
            check.hasEvents(),
            check.hasHolders(),
            check.hasChannels(),
            memory.watch(bridgeLoader),
            memory.mappings());
    NettyBridge bridge =
        (NettyBridge)
            Class.forName(BRIDGE, true, bridgeLoader)
                .getMethod("open", BridgeOptions.class)
                .invoke(null, options);
    hook(copy, loader, HOOKS[0]).getMethod("keep", Object.class).invoke(null, bridge);
    copy.bridge(bridge);
  }

  /** Opens the packages of the copy whose private members the bridge reads. */
  private void openCopy(NettyCopy copy, ClassLoader loader, Module bridge)
      throws ReflectiveOperationException {
    modules.open(platform(copy, loader).getModule(), internals(copy), bridge);
    Class<?> allocator = allocator(copy, loader);
    modules.open(allocator.getModule(), allocator.getPackageName(), bridge);
    String codec = copy.dottedPrefix() + ".handler.codec.http2";
    Class<?> http2 = HostClasses.find(codec + ".Http2Connection", loader);
    if (http2 != null) {
      modules.open(http2.getModule(), codec, bridge);
    }
  }

  private static Class<?> hook(NettyCopy copy, ClassLoader loader, String name)
      throws ClassNotFoundException {
    return Class.forName(copy.dottedPrefix() + ".buffer." + name, true, loader);
  }

  /** Lets the hook classes release the bridge. */
  static void dropBridge(NettyCopy copy, ClassLoader loader) throws ReflectiveOperationException {
    if (copy.bridge() != null) {
      Class<?> metrics = hook(copy, loader, HOOKS[1]);
      metrics.getMethod("live", metrics).invoke(null, (Object) null);
      hook(copy, loader, HOOKS[0]).getMethod("keep", Object.class).invoke(null, (Object) null);
      copy.dropBridge();
    }
  }

  /** Ends all calls of the bridge from Netty's classes, without using the bridge. */
  static void emptyHooks(NettyCopy copy, ClassLoader loader) throws ReflectiveOperationException {
    if (copy.bridge() == null) {
      return; // the hook classes may be missing too
    }
    Class<?> hook = hook(copy, loader, HOOKS[0]);
    hook.getMethod("live", hook).invoke(null, (Object) null);
    hook.getMethod("gate", Runnable.class).invoke(null, (Object) null);
    hook.getMethod("listen", Consumer.class).invoke(null, (Object) null);
    Class<?> observer = hook(copy, loader, HOOKS[2]);
    observer.getMethod("watching", observer).invoke(null, (Object) null);
    Class<?> holders = HostClasses.find(copy.dottedPrefix() + ".buffer." + HOLDERS, loader);
    if (holders != null) {
      holders.getMethod("watching", holders).invoke(null, (Object) null);
    }
    Class<?> channels = HostClasses.find(channelHook(copy), loader);
    if (channels != null) {
      channels.getMethod("watching", Consumer.class).invoke(null, (Object) null);
    }
  }

  /** Returns a loader of the pool's classes, with access to the JDK's packages that they need. */
  private BridgeLoader openLoader(ClassLoader parent, ClassRenamer renamer) {
    BridgeLoader loader = new BridgeLoader(parent, jar, renamer);
    Module module = loader.getUnnamedModule();
    modules.openRawMemory(module);
    modules.openDirectMemory(module);
    modules.openMappings(module);
    return loader;
  }
}
