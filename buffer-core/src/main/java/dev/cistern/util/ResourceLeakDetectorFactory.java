/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.util.Objects;

/** A factory of the {@link ResourceLeakDetector leak detectors} of this process. */
public abstract class ResourceLeakDetectorFactory {
  private static volatile ResourceLeakDetectorFactory instance =
      new ResourceLeakDetectorFactory() {
        @Override
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            Class<T> resource, int samplingInterval, long maxActive) {
          return new ResourceLeakDetector<>(resource, samplingInterval);
        }
      };

  /** Creates a factory; for subclasses. */
  public ResourceLeakDetectorFactory() {}

  /** Returns the factory in use. */
  public static ResourceLeakDetectorFactory instance() {
    return instance;
  }

  /** Sets the factory. This does not change detectors that exist already. */
  public static void setResourceLeakDetectorFactory(ResourceLeakDetectorFactory factory) {
    instance = Objects.requireNonNull(factory, "factory");
  }

  /** Returns a detector with the default sampling interval. */
  public final <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource) {
    return newResourceLeakDetector(resource, ResourceLeakDetector.SAMPLING_INTERVAL);
  }

  /**
   * Returns a detector with a sampling interval.
   *
   * @param resource the class of the objects to track
   * @param samplingInterval the number of objects of which one is tracked, at levels below {@code
   *     PARANOID}
   */
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval) {
    return newResourceLeakDetector(resource, samplingInterval, Long.MAX_VALUE);
  }

  /**
   * Returns a detector with a sampling interval. Factories must implement this method.
   *
   * @param resource the class of the objects to track
   * @param samplingInterval the number of objects of which one is tracked, at levels below {@code
   *     PARANOID}
   * @param maxActive not used
   */
  public abstract <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval, long maxActive);
}
