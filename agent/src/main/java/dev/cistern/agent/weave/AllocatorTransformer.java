/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The transformer that sees every class that is loaded. It records an allocator of Netty for the
 * agent's thread and does not modify it. The class is instrumented by retransformation when that
 * thread requests it. A class in the same package that may be another library's allocator is
 * recorded too.
 */
public final class AllocatorTransformer implements ClassFileTransformer {
  private final DiscoveryListener listener;
  private final AtomicReference<@Nullable DiscoveredAllocator> discovered = new AtomicReference<>();

  /**
   * Classes to instrument, each with its failure, or empty if it is instrumented. They are
   * instrumented again when another agent requests their retransformation, which starts from the
   * class as it was loaded.
   */
  private final Map<Class<?>, Optional<Throwable>> targets =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Classes that keep the agent's code, because restoring them has failed. */
  private final Set<Class<?>> unrestored =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Creates a transformer that calls {@code listener} after a discovery. */
  public AllocatorTransformer(DiscoveryListener listener) {
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
            ? instrument(beingRedefined, className, classFile)
            : null;
      }
      if (loader != null && NettyNames.isAllocator(className)) {
        add(loader, className);
        listener.onDiscovery();
      } else if (loader != null && NettyNames.isBesideNetty(className)) {
        add(loader, className); // not urgent: the agent's thread is not woken
      }
    } catch (Throwable failure) {
      // the JVM ignores a transformer that throws, and the class stays as it is
    }
    return null;
  }

  private byte @Nullable [] instrument(Class<?> target, String className, byte[] classFile) {
    try {
      byte[] instrumented = Instrumenter.instrument(classFile, className);
      targets.put(target, Optional.empty());
      return instrumented;
    } catch (Throwable failure) {
      targets.put(target, Optional.of(failure));
      return null;
    }
  }

  private void add(ClassLoader loader, String className) {
    DiscoveredAllocator allocator = new DiscoveredAllocator(loader, className);
    do {
      allocator.next = discovered.get();
    } while (!discovered.compareAndSet(allocator.next, allocator));
  }

  /**
   * Runs each path once, without effect. If a transformer causes the first load of a class, in a
   * thread that is loading another class, that load can end in a ClassCircularityError.
   */
  public void rehearse() {
    transform(null, "none" + NettyNames.POOLED, null, null, new byte[0]);
    transform(
        ClassLoader.getPlatformClassLoader(), "none/buffer/Allocator", null, null, new byte[0]);
    add(ClassLoader.getPlatformClassLoader(), "none" + NettyNames.ADAPTIVE);
    discovered.set(null);
    targets.remove(AllocatorTransformer.class);
  }

  /** Records the allocators that were loaded before the agent. */
  public void scan(Instrumentation instrumentation) {
    for (Class<?> loaded : loadedClasses(instrumentation)) {
      ClassLoader loader = loaded.getClassLoader();
      if (loader != null && loaded.getName().contains("Allocator")) {
        String className = loaded.getName().replace('.', '/');
        if (NettyNames.isAllocator(className) || NettyNames.isBesideNetty(className)) {
          add(loader, className);
        }
      }
    }
  }

  /**
   * Returns the loaded classes. The JVM returns null, against its contract, once it has begun to
   * end.
   */
  private static Class<?>[] loadedClasses(Instrumentation instrumentation) {
    Class<?>[] loaded = instrumentation.getAllLoadedClasses();
    return loaded == null ? new Class<?>[0] : loaded;
  }

  /** Removes and returns all discovered allocators, the latest first; null for none. */
  public @Nullable DiscoveredAllocator take() {
    return discovered.getAndSet(null);
  }

  /** Returns whether a class is instrumented. */
  public boolean isInstrumented(Class<?> target) {
    Optional<Throwable> outcome = targets.get(target);
    return outcome != null && outcome.isEmpty();
  }

  /**
   * Instruments loaded classes in one retransformation. After a failure, those of these classes
   * that were not instrumented before are not instrumented either.
   *
   * @return null, or the first failure; its message names the class if the failure is that of one
   *     class
   */
  public @Nullable Throwable instrument(Instrumentation instrumentation, List<Class<?>> classes) {
    List<Class<?>> missing = new ArrayList<>();
    for (Class<?> each : classes) {
      if (!isInstrumented(each)) {
        targets.put(each, Optional.of(new IllegalStateException("the JVM passed no class file")));
        missing.add(each);
      }
    }
    Throwable failure = retransform(instrumentation, missing);
    if (failure != null) { // the JVM has changed none of them
      missing.forEach(targets::remove);
      return failure;
    }
    for (Class<?> each : missing) {
      Throwable cause = targets.getOrDefault(each, Optional.empty()).orElse(null);
      if (cause != null) {
        Throwable unused = restore(instrumentation, missing);
        return new IllegalStateException(each.getName() + ": " + cause, cause);
      }
    }
    return null;
  }

  /**
   * Removes the agent's code from those of these classes that have it, in one retransformation.
   * After a failure, the next call tries again.
   *
   * @return null, or why they keep the agent's code
   */
  public @Nullable Throwable restore(Instrumentation instrumentation, List<Class<?>> classes) {
    List<Class<?>> instrumented = new ArrayList<>();
    for (Class<?> each : classes) {
      if (targets.remove(each) != null || unrestored.contains(each)) {
        instrumented.add(each);
      }
    }
    Throwable failure = retransform(instrumentation, instrumented);
    if (failure == null) {
      unrestored.removeAll(instrumented);
    } else {
      unrestored.addAll(instrumented);
    }
    return failure;
  }

  private static @Nullable Throwable retransform(
      Instrumentation instrumentation, List<Class<?>> classes) {
    try {
      if (!classes.isEmpty()) {
        instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
      }
      return null;
    } catch (Throwable refused) {
      return refused;
    }
  }
}
