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
 * The types of Netty 4.1 that the library offers under its own package names. These are the public
 * types of the buffer packages and the listed types of {@code io.netty.util}, with their nested
 * types, except for deprecated ones.
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

  /** Returns Netty's types by name. */
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
      // Added without a check, because Cistern offers the deprecated ThreadDeathWatcher.
      types.put(type.getName(), type);
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

  /** Returns the class, or null if it does not exist. */
  static Class<?> find(String name) {
    try {
      return Class.forName(name, false, ApiScope.class.getClassLoader());
    } catch (ClassNotFoundException none) {
      return null;
    }
  }

  /** Replaces Netty's package names in a name or a text by Cistern's. */
  static String renamed(String theirs) {
    return theirs
        .replace(THEIRS + "buffer.", OURS + "buffer.")
        .replace(THEIRS + "util.", OURS + "util.");
  }

  /** Removes the prefixes that all names of a library share. */
  static String shortened(String name) {
    return name.replace(THEIRS, "").replace(OURS, "").replace("java.lang.", "");
  }
}
