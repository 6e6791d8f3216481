/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.weave.ClassRenamer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The loader of bridge and engine for one copy of Netty: a child of that copy's loader, so that the
 * bridge sees the host's Netty, and is collected together with the host's loader. It loads
 * Cistern's own packages from the agent's jar first, whatever the host has on its class path. It
 * loads the packages that the agent and its bridges share from the agent's loader.
 */
final class BridgeLoader extends ClassLoader {
  private static final String JDK_INTERNAL = "jdk.internal.";
  private static final String CISTERN = "dev.cistern.";

  private static final List<String> SHARED =
      List.of("dev.cistern.bridge.api.", "dev.cistern.leak.report.", "dev.cistern.stats.");

  static {
    registerAsParallelCapable();
  }

  private final Function<String, byte @Nullable []> jar;
  private final ClassRenamer renamer;
  private final ProtectionDomain domain = BridgeLoader.class.getProtectionDomain();

  BridgeLoader(ClassLoader host, Function<String, byte @Nullable []> jar, ClassRenamer renamer) {
    super("cistern-bridge", host);
    this.jar = jar;
    this.renamer = renamer;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith(JDK_INTERNAL)) {
      return Class.forName(name, false, null); // a host's loader may hide it, as OSGi's do
    }
    if (!name.startsWith(CISTERN)) {
      return super.loadClass(name, resolve);
    }
    if (SHARED.stream().anyMatch(name::startsWith)) {
      return Class.forName(name, false, BridgeLoader.class.getClassLoader());
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = findClass(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] classFile = jar.apply("bridge/" + name.replace('.', '/') + ".classdata");
    if (classFile == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] renamed = renamer.apply(classFile);
    return defineClass(name, renamed, 0, renamed.length, domain);
  }
}
