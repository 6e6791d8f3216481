/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.weave.AllocatorTransformer;
import dev.cistern.agent.weave.NettyNames;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.stats.AllocatorInfo;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a {@link Transition} in this JVM. The agent's thread only.
 *
 * <p>The self-test runs only after the host has allocated a buffer. Before that, it would
 * initialize Netty's classes in the agent's thread, while the application initializes the same
 * classes in another order, and the two threads could deadlock.
 */
final class NettyCopyActivator implements NettyCopyMachine.Actions {
  private final Instrumentation instrumentation;

  private final AllocatorTransformer transformer;
  private final BridgeInstaller installer;
  private final DirectMemoryReclaim reclaim;

  NettyCopyActivator(
      Instrumentation instrumentation,
      AllocatorTransformer transformer,
      BridgeInstaller installer,
      DirectMemoryReclaim reclaim) {
    this.instrumentation = instrumentation;
    this.transformer = transformer;
    this.installer = installer;
    this.reclaim = reclaim;
  }

  @Override
  public void run(Step step, NettyCopy copy, Mode mode) throws Throwable {
    if (step.name().equals(System.getProperty("cistern.test.fault"))) {
      throw new ActivationException("injected fault at " + step);
    }
    ClassLoader loader = copy.loader();
    if (loader == null) {
      throw new ActivationException("its class loader was collected");
    }
    switch (step) {
      case CHECK -> installer.check(copy, loader);
      case DEFINE_HOOKS -> installer.defineHooks(copy, loader);
      case OPEN_BRIDGE -> installer.openBridge(copy, loader);
      case SELF_TEST -> testOnce(copy, mode);
      case INSTRUMENT -> instrument(copy, loader, mode);
      case HOLD_FIRST_ALLOCATIONS -> hold(copy, mode);
      case SET_MODE -> setMode(copy, loader, mode);
      case CLEAR_MODE -> clearMode(copy);
      case EMPTY_HOOKS -> BridgeInstaller.emptyHooks(copy, loader);
      case RESTORE_CLASSES -> restore(copy, loader);
      case DROP_BRIDGE -> BridgeInstaller.dropBridge(copy, loader);
    }
  }

  private static NettyBridge bridge(NettyCopy copy) throws ActivationException {
    NettyBridge bridge = copy.bridge();
    if (bridge == null) {
      throw new ActivationException("it has no bridge");
    }
    return bridge;
  }

  private static void testOnce(NettyCopy copy, Mode mode) throws ActivationException {
    if (mode.swaps() && !copy.isTested()) {
      Throwable failure = bridge(copy).selfTest();
      if (failure != null) {
        throw new ActivationException("self-test: " + failure, failure);
      }
      copy.isTested(true);
      copy.backOff().passed();
    }
  }

  private static void hold(NettyCopy copy, Mode mode) throws ActivationException {
    if (isServedWhole(mode)) {
      bridge(copy).holdFirstAllocations(Thread.currentThread());
    }
  }

  /**
   * Returns whether classes are instrumented now. Before the first buffer they are instrumented
   * only for the pool.
   */
  private static boolean canInstrument(NettyCopy copy, Mode mode) {
    return !mode.equals(Mode.OFF) && (copy.hasAllocated() || isServedWhole(mode));
  }

  private static boolean isServedWhole(Mode mode) {
    return mode.swaps() && !mode.observes();
  }

  private static void setMode(NettyCopy copy, ClassLoader loader, Mode mode)
      throws ActivationException, ReflectiveOperationException {
    NettyBridge bridge = bridge(copy);
    nameInstances(copy, bridge, loader);
    bridge.wakeOnExhaustion(Thread.currentThread());
    bridge.setMode(mode.swaps() ? mode.percent() : 0, observes(copy, mode));
  }

  private static void clearMode(NettyCopy copy) {
    NettyBridge bridge = copy.bridge();
    if (bridge != null) {
      bridge.setMode(0, false);
    }
  }

  /**
   * Returns whether samples are taken. A percentage is served even if the remaining allocations
   * cannot be observed.
   */
  private static boolean observes(NettyCopy copy, Mode mode) throws ActivationException {
    String refusal = copy.observationRefusal();
    if (refusal != null && mode.equals(Mode.OBSERVE)) {
      throw new ActivationException("cannot be observed: " + refusal);
    }
    return copy.observes(mode) && refusal == null;
  }

  /**
   * Instruments the initialized classes of the copy. An uninitialized class has no instance, and
   * the JVM may find it invalid. Allocators are instrumented in the same call as their buffers, so
   * that no sample misses its end.
   */
  private void instrument(NettyCopy copy, ClassLoader loader, Mode mode)
      throws ActivationException, ReflectiveOperationException {
    if (!canInstrument(copy, mode)) {
      return;
    }
    boolean observes = observes(copy, mode);
    boolean isPending = false;
    Set<Class<?>> classes = new LinkedHashSet<>();
    Set<Class<?>> foreign = new LinkedHashSet<>();
    for (String name : copy.allocators()) {
      Class<?> allocator = loaded(name, loader);
      if (allocator != null && !JdkModules.isInitialized(allocator)) {
        isPending = true;
      } else if (allocator != null) {
        if (copy.isForeign(name)) {
          foreign.add(allocator);
          continue;
        }
        if (observes) {
          classes.add(buffersOf(allocator, loader));
        }
        classes.add(allocator);
        classes.add(allocator.getSuperclass());
      }
    }
    Throwable failure =
        instrument(copy, classes, account(copy, loader, mode), holding(copy, loader));
    if (failure != null) {
      throw new ActivationException("instrumenting: " + failure, failure);
    }
    for (Class<?> allocator : foreign) {
      Throwable refused = instrumentForeign(allocator, loader, observes);
      if (refused != null) { // only the buffers of this library are not observed
        boolean unused =
            copy.addForeign(
                allocator.getName(), AllocatorInfo.BYPASSED, "cannot be observed: " + refused);
      }
    }
    copy.hasPendingClasses(isPending);
  }

  /**
   * Instruments an allocator of another library. Returns null, or the failure: linking the
   * allocator fails if classes that it needs are missing.
   */
  private @Nullable Throwable instrumentForeign(
      Class<?> allocator, ClassLoader loader, boolean observes) {
    try {
      return instrument(
          observes ? Set.of(buffersOf(allocator, loader), allocator) : Set.of(allocator));
    } catch (ActivationException | LinkageError | RuntimeException missing) {
      return missing;
    }
  }

  private @Nullable Throwable instrument(Set<Class<?>> classes) {
    for (Class<?> type : classes) {
      if (!transformer.isInstrumented(type)) {
        // Links it first: a class that the host links at that moment may be found invalid.
        Object unused = type.getDeclaredConstructors();
      }
    }
    return transformer.instrument(instrumentation, List.copyOf(classes));
  }

  /**
   * Passes the instances in static fields of Netty to the bridge, each once. Reads only classes
   * that the host has initialized, and initializes none.
   */
  static void nameInstances(NettyCopy copy, NettyBridge bridge, ClassLoader loader)
      throws ReflectiveOperationException {
    for (Iterator<String> names = copy.unnamed().iterator(); names.hasNext(); ) {
      String name = names.next();
      Class<?> type = loaded(copy.dottedPrefix() + ".buffer." + name, loader);
      if (type != null && JdkModules.isInitialized(type)) {
        bridge.name(type.getField("DEFAULT").get(null), name + ".DEFAULT");
        names.remove();
      }
    }
  }

  /**
   * Returns the class that counts Netty's direct memory; an empty set if the pools do not serve.
   * Once it is instrumented, its requests can use unused memory of the pools.
   */
  private Set<Class<?>> account(NettyCopy copy, ClassLoader loader, Mode mode)
      throws ClassNotFoundException {
    if (!mode.swaps() || !copy.isTested()) {
      return Set.of();
    }
    reclaim.install();
    return Set.of(BridgeInstaller.platform(copy, loader));
  }

  /**
   * Returns the classes that show the holders of buffers. The loader may load them now. Like the
   * class of the buffers, they are linked and not initialized.
   */
  private static Set<Class<?>> holding(NettyCopy copy, ClassLoader loader) {
    Set<Class<?>> classes = new LinkedHashSet<>();
    for (String name : copy.holdingClasses()) {
      Class<?> holding = loaded(name.replace('/', '.'), loader);
      if (holding != null) {
        classes.add(holding);
      }
    }
    return classes;
  }

  /**
   * Instruments classes in one retransformation. If that fails, each optional part is tried
   * separately, so that a failure affects only that part.
   *
   * @return null, or the failure of {@code classes}
   */
  private @Nullable Throwable instrument(
      NettyCopy copy, Set<Class<?>> classes, Set<Class<?>> account, Set<Class<?>> holding) {
    Set<Class<?>> all = new LinkedHashSet<>(classes);
    all.addAll(account);
    all.addAll(holding);
    if (tryInstrument(all) == null) {
      return null;
    }
    Throwable failure = instrument(classes);
    if (failure == null) {
      log(copy, tryInstrument(account), "its pool frees unused memory only after some seconds");
      log(copy, tryInstrument(holding), "the holders of its buffers are unknown");
    }
    return failure;
  }

  private @Nullable Throwable tryInstrument(Set<Class<?>> classes) {
    try {
      return instrument(classes);
    } catch (RuntimeException | LinkageError missing) {
      return missing;
    }
  }

  private static void log(NettyCopy copy, @Nullable Throwable failure, String consequence) {
    if (failure != null) {
      Log.line("cannot instrument all classes of " + copy + ": " + failure + "; " + consequence);
    }
  }

  /** Returns a discovered class; null if the loader could not define it. */
  private static @Nullable Class<?> loaded(String name, ClassLoader loader) {
    Class<?> found = HostClasses.find(name, loader);
    return found != null && found.getClassLoader() == loader ? found : null;
  }

  /** Loads the buffer class without initializing it. */
  private static Class<?> buffersOf(Class<?> allocator, ClassLoader loader)
      throws ActivationException {
    String name = NettyNames.buffersOf(allocator.getName().replace('.', '/'));
    try {
      return Class.forName(name.replace('/', '.'), false, loader);
    } catch (ClassNotFoundException | LinkageError | RuntimeException missing) {
      throw new ActivationException(missing.toString());
    }
  }

  private void restore(NettyCopy copy, ClassLoader loader) throws ActivationException {
    Class<?>[] initiated = instrumentation.getInitiatedClasses(loader);
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> type : initiated == null ? new Class<?>[0] : initiated) {
      if (type.getClassLoader() == loader && type.getName().startsWith(copy.dottedPrefix() + '.')) {
        classes.add(type);
      }
    }
    Throwable failure = transformer.restore(instrumentation, classes);
    if (failure != null) {
      throw new ActivationException(failure.toString());
    }
  }

  @Override
  public boolean hasAllocated(NettyCopy copy) {
    ClassLoader loader = copy.loader();
    if (!copy.hasAllocated() && loader != null) {
      Class<?> buffers = loaded(copy.dottedPrefix() + BUFFER_CLASS, loader);
      copy.hasAllocated(buffers != null && JdkModules.isInitialized(buffers));
    }
    return copy.hasAllocated();
  }

  private static final String BUFFER_CLASS = ".buffer.AbstractReferenceCountedByteBuf";

  @Override
  public boolean canInstrumentMore(NettyCopy copy) {
    ClassLoader loader = copy.loader();
    boolean isDone = !copy.hasPendingClasses() || !canInstrument(copy, copy.targetMode());
    if (loader == null || isDone) {
      return false;
    }
    for (String name : copy.allocators()) {
      Class<?> allocator = loaded(name, loader);
      if (allocator != null
          && !transformer.isInstrumented(allocator)
          && JdkModules.isInitialized(allocator)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the JVM ends: it returns null then, against its contract. */
  @Override
  public boolean isEnding(NettyCopy copy) {
    return instrumentation.getInitiatedClasses(copy.loader()) == null;
  }
}
