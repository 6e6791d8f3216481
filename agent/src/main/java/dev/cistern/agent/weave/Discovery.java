/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sees every class that is loaded. An allocator of Netty is noted, unmodified, for the agent's
 * thread; only when that thread asks for it is it woven, by retransformation. A class beside it
 * that may be another library's allocator is noted, too, and never woven.
 */
public final class Discovery implements ClassFileTransformer {
  private final SightingListener listener;
  private final AtomicReference<@Nullable Sighting> sightings = new AtomicReference<>();

  /**
   * Classes to weave, each with its failure, or nothing if it is woven: also when another agent
   * asks for their retransformation, which starts from the class as it was loaded.
   */
  private final Map<Class<?>, Optional<Throwable>> targets =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Sightings go to a list that {@code listener} is told about. */
  public Discovery(SightingListener listener) {
    this.listener = listener;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> beingRedefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (className == null) {
      return null;
    }
    try {
      if (beingRedefined != null) {
        return targets.containsKey(beingRedefined)
            ? weave(beingRedefined, className, classFile)
            : null;
      }
      if (loader != null && AllocatorNames.matches(className)) {
        note(loader, className);
        listener.sighted();
      } else if (loader != null && AllocatorNames.isBesideNettys(className)) {
        note(loader, className); // in no hurry
      }
    } catch (Throwable failure) {
      // a transformer that throws is ignored by the JVM anyway; the class stays as it is
    }
    return null;
  }

  private byte @Nullable [] weave(Class<?> target, String className, byte[] classFile) {
    try {
      byte[] woven = Weaver.weave(classFile, className);
      targets.put(target, Optional.empty());
      return woven;
    } catch (Throwable failure) {
      targets.put(target, Optional.of(failure));
      return null;
    }
  }

  private void note(ClassLoader loader, String className) {
    Sighting sighting = new Sighting(loader, className);
    do {
      sighting.next = sightings.get();
    } while (!sightings.compareAndSet(sighting.next, sighting));
  }

  /**
   * Goes through the motions once, without effect. A class that is first loaded inside a
   * transformer, by a thread that is just loading a class, ends in a ClassCircularityError.
   */
  public void rehearse() {
    transform(null, "none" + AllocatorNames.POOLED, null, null, new byte[0]);
    transform(
        ClassLoader.getPlatformClassLoader(), "none/buffer/Allocator", null, null, new byte[0]);
    note(ClassLoader.getPlatformClassLoader(), "none" + AllocatorNames.ADAPTIVE);
    sightings.set(null);
    targets.remove(Discovery.class);
  }

  /** Notes the allocators that were loaded before the agent. */
  public void scan(Instrumentation instrumentation) {
    for (Class<?> loaded : loadedClasses(instrumentation)) {
      ClassLoader loader = loaded.getClassLoader();
      if (loader != null && loaded.getName().contains("Allocator")) {
        String className = loaded.getName().replace('.', '/');
        if (AllocatorNames.matches(className) || AllocatorNames.isBesideNettys(className)) {
          note(loader, className);
        }
      }
    }
  }

  /** The JVM returns null, against its contract, once it has begun to end. */
  private static Class<?>[] loadedClasses(Instrumentation instrumentation) {
    Class<?>[] loaded = instrumentation.getAllLoadedClasses();
    return loaded == null ? new Class<?>[0] : loaded;
  }

  /** Takes all sightings, the latest first; null for none. */
  public @Nullable Sighting take() {
    return sightings.getAndSet(null);
  }

  /** Returns whether a class is woven. */
  public boolean isWoven(Class<?> target) {
    Optional<Throwable> outcome = targets.get(target);
    return outcome != null && outcome.isEmpty();
  }

  /**
   * Weaves a loaded class.
   *
   * @return null, or why it is not woven
   */
  public @Nullable Throwable weave(Instrumentation instrumentation, Class<?> target) {
    if (isWoven(target)) {
      return null;
    }
    targets.put(target, Optional.of(new IllegalStateException("the JVM offered no class file")));
    Throwable outcome;
    try {
      instrumentation.retransformClasses(target);
      outcome = targets.getOrDefault(target, Optional.empty()).orElse(null);
    } catch (Throwable refused) {
      outcome = refused;
    }
    if (outcome == null) {
      return null;
    }
    targets.remove(target);
    return outcome;
  }

  /**
   * Gives a woven class its own code back.
   *
   * @return null, also for a class that is not woven, or why it keeps ours
   */
  public @Nullable String unweave(Instrumentation instrumentation, Class<?> target) {
    if (!targets.containsKey(target)) {
      return null;
    }
    targets.remove(target);
    try {
      instrumentation.retransformClasses(target);
      return null;
    } catch (Throwable refused) {
      return refused.toString();
    }
  }
}
