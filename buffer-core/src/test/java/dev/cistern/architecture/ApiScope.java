/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Which types of Netty 4.1 the library offers under its own package names: the public ones of the
 * buffer packages, and the listed ones of {@code io.netty.util}, with the types nested in them; no
 * deprecated ones.
 */
final class ApiScope {
  static final String THEIRS = "io.netty.";
  static final String OURS = "dev.cistern.";

  private static final List<String> UTILITIES =
      List.of(
          "AbstractReferenceCounted",
          "AsciiString",
          "ByteProcessor",
          "CharsetUtil",
          "HashingStrategy",
          "IllegalReferenceCountException",
          "Recycler",
          "ReferenceCountUtil",
          "ReferenceCounted",
          "ResourceLeakDetector",
          "ResourceLeakDetectorFactory",
          "ResourceLeakHint",
          "ResourceLeakTracker",
          "ThreadDeathWatcher",
          "Version",
          "concurrent.FastThreadLocal",
          "concurrent.FastThreadLocalThread");

  private ApiScope() {}

  /** Netty's types, by name. */
  static Map<String, Class<?>> types() throws IOException {
    Map<String, Class<?>> types = new TreeMap<>();
    try (JarFile jar = new JarFile(jarOf(io.netty.buffer.ByteBuf.class).toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName().replace('/', '.');
        if (name.startsWith(THEIRS + "buffer.") && name.endsWith(".class")) {
          add(load(name.substring(0, name.length() - ".class".length())), types);
        }
      }
    }
    for (String name : UTILITIES) {
      Class<?> type = load(THEIRS + "util." + name);
      types.put(type.getName(), type); // ThreadDeathWatcher is deprecated there, and seed row G3
      Stream.of(type.getDeclaredClasses()).forEach(nested -> addWithNested(nested, types));
    }
    return types;
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static void addWithNested(Class<?> type, Map<String, Class<?>> types) {
    add(type, types);
    Stream.of(type.getDeclaredClasses()).forEach(nested -> addWithNested(nested, types));
  }

  private static void add(Class<?> type, Map<String, Class<?>> types) {
    if (isOffered(type)) {
      types.put(type.getName(), type);
    }
  }

  private static boolean isOffered(Class<?> type) {
    Class<?> enclosing = type.getEnclosingClass();
    boolean isVisible = (type.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    return isVisible
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && !type.isAnnotationPresent(Deprecated.class)
        && (enclosing == null || isOffered(enclosing));
  }

  private static Class<?> load(String name) {
    Class<?> type = find(name);
    if (type == null) {
      throw new AssertionError("Netty has no " + name);
    }
    return type;
  }

  /** The class, or null where there is none. */
  static Class<?> find(String name) {
    try {
      return Class.forName(name, false, ApiScope.class.getClassLoader());
    } catch (ClassNotFoundException none) {
      return null;
    }
  }

  /** A name of theirs, or text with such names in it, as it has to read with us. */
  static String renamed(String theirs) {
    return theirs
        .replace(THEIRS + "buffer.", OURS + "buffer.")
        .replace(THEIRS + "util.", OURS + "util.");
  }

  /** A name of either library without what is the same for all. */
  static String shortened(String name) {
    return name.replace(THEIRS, "").replace(OURS, "").replace("java.lang.", "");
  }
}
