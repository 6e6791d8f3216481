/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** From an internal class name to its class file, as a loader shows it, or null. */
final class LoaderFiles implements Function<String, byte @Nullable []> {
  private final ClassLoader loader;

  LoaderFiles(ClassLoader loader) {
    this.loader = loader;
  }

  @Override
  public byte @Nullable [] apply(String className) {
    try (InputStream in = loader.getResourceAsStream(className + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException unreadable) {
      return null;
    }
  }
}
