/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A function from an internal class name to the class file, as a loader shows it, or null. */
final class LoaderFiles implements Function<String, byte @Nullable []> {
  private final ClassLoader loader;

  LoaderFiles(ClassLoader loader) {
    this.loader = loader;
  }

  @Override
  public byte @Nullable [] apply(String className) {
    byte[] shown = read(loader, className);
    return shown == null ? readWhereDefined(className) : shown;
  }

  private static byte @Nullable [] read(ClassLoader from, String className) {
    try (InputStream in = from.getResourceAsStream(className + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (Throwable unreadable) {
      return null; // a loader of the host may throw anything
    }
  }

  /**
   * Returns the class file from the loader that defines the class. In a module layer with a loader
   * for each module, a loader shows the classes of the modules that its own module reads, but not
   * their files.
   */
  private byte @Nullable [] readWhereDefined(String className) {
    Class<?> found = HostClasses.find(className.replace('/', '.'), loader);
    ClassLoader other = found == null ? null : found.getClassLoader();
    return other == null || other == loader ? null : read(other, className);
  }
}
