/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a copy of Netty has all that the prologue, the hook and the bridge stand on,
 * before anything of it is touched. Members are those that the bridge's own class files refer to.
 */
public final class Structure {
  private static final String BUF = "Lio/netty/buffer/ByteBuf;";

  private static final String[] ALLOCATOR = {
    "<init>(Z)V",
    "toLeakAwareBuffer(" + BUF + ")" + BUF,
    "newHeapBuffer(II)" + BUF,
    "newDirectBuffer(II)" + BUF,
  };

  private static final String[] COUNTED = {"<init>(I)V", "setRefCnt(I)V", "deallocate()V"};

  private static final String[] BUFFER = {
    "maxCapacity(I)V",
    "ensureAccessible()V",
    "checkIndex(II)V",
    "checkSrcIndex(IIII)V",
    "checkDstIndex(IIII)V",
    "checkReadableBytes(I)V",
    "checkNewCapacity(I)V",
    "trimIndicesToCapacity(I)V",
  };

  /** In front of the class's own name in the descriptor's result. */
  private static final String DERIVED =
      "newInstance(Lio/netty/buffer/AbstractByteBuf;" + BUF + "II)L";

  private static final String[] DETECTOR = {
    "getLevel()Lio/netty/util/ResourceLeakDetector$Level;",
  };

  /** All that a tracker has to do; its other methods have bodies. */
  private static final Set<String> TRACKER =
      Set.of("record()V", "record(Ljava/lang/Object;)V", "close(Ljava/lang/Object;)Z");

  private static final String[] PLATFORM = {
    "hasUnsafe()Z",
    "useDirectBufferNoCleaner()Z",
    "usedDirectMemory()J",
    "maxDirectMemory()J",
    "allocateUninitializedArray(I)[B",
    "freeDirectBuffer(Ljava/nio/ByteBuffer;)V",
  };

  /** Of Netty 4.2's events, by class: what it extends, and its own members that are written. */
  private static final String[][] EVENTS = {
    {"AbstractAllocatorEvent", "", "allocatorType Ljava/lang/Class;"},
    {
      "AbstractBufferEvent",
      "AbstractAllocatorEvent",
      "size I",
      "maxFastCapacity I",
      "maxCapacity I",
      "direct Z",
      "address J"
    },
    {"AbstractChunkEvent", "AbstractAllocatorEvent", "capacity I", "direct Z", "address J"},
    {"AllocateBufferEvent", "AbstractBufferEvent", "chunkPooled Z", "chunkThreadLocal Z"},
    {"ReallocateBufferEvent", "AbstractBufferEvent", "newCapacity I"},
    {"FreeBufferEvent", "AbstractBufferEvent"},
    {"AllocateChunkEvent", "AbstractChunkEvent", "pooled Z", "threadLocal Z"},
    {"FreeChunkEvent", "AbstractChunkEvent", "pooled Z"},
  };

  private final String prefix;

  /** From an internal class name to the class file, or null. */
  private final Function<String, byte @Nullable []> classFiles;

  private final Set<String> bridgeMethods;
  private boolean resetsCount;
  private boolean leakAware;
  private @Nullable String observationRefusal;
  private boolean events;

  /**
   * @param prefix of the copy, as {@code io/netty}
   * @param classFiles from an internal class name to the class file as the copy's loader sees it
   * @param bridgeClassFiles the bridge's buffer, superclass first
   */
  public Structure(
      String prefix, Function<String, byte @Nullable []> classFiles, byte[]... bridgeClassFiles) {
    this.prefix = prefix;
    this.classFiles = classFiles;
    this.bridgeMethods = new HashSet<>();
    for (byte[] classFile : bridgeClassFiles) {
      bridgeMethods.addAll(ClassShape.of(classFile).concreteMethods());
    }
  }

  /** Null when the copy matches, else the first thing that differs. */
  public @Nullable String mismatch(String allocatorClass) {
    try {
      checkAllocator(allocatorClass);
      checkBuffer();
      checkMembers(shape(prefix + "/util/ResourceLeakDetector"), DETECTOR, "ResourceLeakDetector");
      leakAware = hasLeakAware();
      observationRefusal = findObservationRefusal();
      events = findEvents();
      checkMembers(
          shape(prefix + "/util/internal/PlatformDependent"), PLATFORM, "PlatformDependent");
      return null;
    } catch (Mismatch found) {
      return found.getMessage();
    }
  }

  /** Whether the copy resets counts with a method of its own; known after {@link #mismatch}. */
  public boolean resetsCount() {
    return resetsCount;
  }

  /**
   * Whether the copy's leak-aware wrapper can be given a tracker of ours; known after {@link
   * #mismatch}. Without it, accesses are not recorded, and nothing else differs.
   */
  public boolean isLeakAware() {
    return leakAware;
  }

  /**
   * Why allocations and releases of the copy's own buffers cannot be observed, or null; known after
   * {@link #mismatch}. Serving does not depend on it.
   */
  public @Nullable String observationRefusal() {
    return observationRefusal;
  }

  /** Allocators that the copy does not have, such as the adaptive one in early 4.1, are fine. */
  private @Nullable String findObservationRefusal() {
    for (String name : new String[] {AllocatorNames.POOLED, AllocatorNames.ADAPTIVE}) {
      byte[] allocator = classFiles.apply(prefix + name);
      String buffers = BufferNames.ofAllocator(prefix + name);
      byte[] buffer = classFiles.apply(buffers);
      if (allocator != null && buffer == null) {
        return "no class file for " + buffers;
      }
      String refusal =
          allocator == null || buffer == null
              ? null
              : Weaver.observationRefusal(allocator, prefix + name, buffer, buffers);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Whether the copy has events of the flight recorder; known after {@link #mismatch}. */
  public boolean hasEvents() {
    return events;
  }

  private boolean findEvents() {
    for (String[] event : EVENTS) {
      byte[] classFile = classFiles.apply(prefix + "/buffer/" + event[0]);
      if (classFile == null || !isEvent(ClassShape.of(classFile), event)) {
        return false;
      }
    }
    return true;
  }

  private boolean isEvent(ClassShape shape, String[] event) {
    boolean matches =
        event[1].isEmpty()
            ? "jdk/jfr/Event".equals(shape.superName())
            : (prefix + "/buffer/" + event[1]).equals(shape.superName());
    for (int i = 2; i < event.length; i++) {
      String[] nameAndType = event[i].split(" ", 2);
      matches &= shape.hasReachableField(nameAndType[0], nameAndType[1]);
    }
    return matches && (event[0].startsWith("Abstract") || shape.hasMethod("isEventEnabled()Z"));
  }

  private boolean hasLeakAware() throws Mismatch {
    String tracker = "L" + prefix + "/util/ResourceLeakTracker;";
    ClassShape simple = shape(prefix + "/buffer/SimpleLeakAwareByteBuf");
    ClassShape advanced = shape(prefix + "/buffer/AdvancedLeakAwareByteBuf");
    ClassShape reached = shape(prefix + "/util/ResourceLeakTracker");
    return simple.hasReachableField("leak", tracker)
        && advanced.hasReachableMethod("<init>(L" + prefix + "/buffer/ByteBuf;" + tracker + ")V")
        && reached.isPublic()
        && TRACKER.equals(reached.abstractMethods());
  }

  private void checkAllocator(String allocatorClass) throws Mismatch {
    ClassShape allocator = shape(allocatorClass);
    String parent = prefix + "/buffer/AbstractByteBufAllocator";
    if (!parent.equals(allocator.superName())) {
      throw new Mismatch(allocatorClass + " does not extend " + parent);
    }
    checkMembers(
        allocator,
        new String[] {"newHeapBuffer(II)" + BUF, "newDirectBuffer(II)" + BUF},
        allocatorClass);
    if (AllocatorNames.isPooled(allocatorClass)) {
      String arenas = "[L" + prefix + "/buffer/PoolArena;";
      if (!allocator.hasField("heapArenas", arenas)
          || !allocator.hasField("directArenas", arenas)) {
        throw new Mismatch(allocatorClass + " keeps its arenas elsewhere");
      }
    }
    ClassShape base = shape(parent);
    if (!base.isPublic()) {
      throw new Mismatch(parent + " is not public");
    }
    checkMembers(base, ALLOCATOR, parent);
  }

  private void checkBuffer() throws Mismatch {
    String countedName = prefix + "/buffer/AbstractReferenceCountedByteBuf";
    String bufferName = prefix + "/buffer/AbstractByteBuf";
    String rootName = prefix + "/buffer/ByteBuf";
    ClassShape counted = shape(countedName);
    ClassShape buffer = shape(bufferName);
    ClassShape root = shape(rootName);
    if (!bufferName.equals(counted.superName()) || !rootName.equals(buffer.superName())) {
      throw new Mismatch(countedName + " has other superclasses");
    }
    if (!counted.isPublic()) {
      throw new Mismatch(countedName + " is not public");
    }
    checkMembers(counted, COUNTED, countedName);
    checkMembers(buffer, BUFFER, bufferName);
    checkDerived("io/netty/buffer/PooledSlicedByteBuf");
    checkDerived("io/netty/buffer/PooledDuplicatedByteBuf");
    resetsCount = counted.hasMethod("resetRefCnt()V");
    checkAbstract(counted, buffer, root);
  }

  private void checkDerived(String name) throws Mismatch {
    String renamed = name.replace("io/netty/", prefix + '/');
    checkMembers(shape(renamed), new String[] {DERIVED + name + ';'}, renamed);
  }

  /** Every method that Netty leaves to a buffer must be in ours: else a host meets an error. */
  private void checkAbstract(ClassShape counted, ClassShape buffer, ClassShape root)
      throws Mismatch {
    Set<String> missing = root.abstractMethods();
    missing.removeAll(buffer.concreteMethods());
    missing.addAll(buffer.abstractMethods());
    missing.removeAll(counted.concreteMethods());
    missing.addAll(counted.abstractMethods());
    for (String method : bridgeMethods) {
      missing.remove(method.replace("io/netty/", prefix + '/'));
    }
    if (!missing.isEmpty()) {
      throw new Mismatch("buffers have methods unknown to the bridge: " + missing);
    }
  }

  private void checkMembers(ClassShape shape, String[] members, String className) throws Mismatch {
    for (String member : members) {
      String renamed = member.replace("io/netty/", prefix + '/');
      if (!shape.hasMethod(renamed)) {
        throw new Mismatch(className + " has no " + renamed);
      }
    }
  }

  private ClassShape shape(String className) throws Mismatch {
    byte[] classFile = classFiles.apply(className);
    if (classFile == null) {
      throw new Mismatch("no class file for " + className);
    }
    return ClassShape.of(classFile);
  }

  private static final class Mismatch extends Exception {
    private static final long serialVersionUID = 1;

    Mismatch(String message) {
      super(message);
    }
  }
}
