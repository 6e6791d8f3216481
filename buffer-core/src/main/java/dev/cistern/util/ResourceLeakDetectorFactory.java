/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.Objects;

/** Makes the {@link ResourceLeakDetector leak detectors} of this process. */
public abstract class ResourceLeakDetectorFactory {
  private static volatile ResourceLeakDetectorFactory instance =
      new ResourceLeakDetectorFactory() {
        @Override
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            Class<T> resource, int samplingInterval, long maxActive) {
          return new ResourceLeakDetector<>(resource, samplingInterval);
        }
      };

  /** For subclasses. */
  public ResourceLeakDetectorFactory() {}

  /** The factory in use. */
  public static ResourceLeakDetectorFactory instance() {
    return instance;
  }

  /** Sets the factory to use from now on; detectors that were made before stay as they are. */
  public static void setResourceLeakDetectorFactory(ResourceLeakDetectorFactory factory) {
    instance = Objects.requireNonNull(factory, "factory");
  }

  /** A detector at the default sampling interval. */
  public final <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource) {
    return newResourceLeakDetector(resource, ResourceLeakDetector.SAMPLING_INTERVAL);
  }

  /**
   * A detector at a sampling interval of its own.
   *
   * @param resource the class of what is watched
   * @param samplingInterval one in how many is watched below {@code PARANOID}
   */
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval) {
    return newResourceLeakDetector(resource, samplingInterval, Long.MAX_VALUE);
  }

  /**
   * A detector at a sampling interval of its own; the method that a factory must have.
   *
   * @param resource the class of what is watched
   * @param samplingInterval one in how many is watched below {@code PARANOID}
   * @param maxActive not used
   */
  public abstract <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval, long maxActive);
}
