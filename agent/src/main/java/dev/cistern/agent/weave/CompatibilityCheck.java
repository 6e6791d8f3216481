/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/**
 * The check whether a copy of Netty has all classes and members that the bridge and the
 * instrumented code refer to. It runs before the agent changes anything in that copy.
 *
 * <p>The build generates the list of the bridge's references from its class files. Each line has a
 * group, the access that is needed or the kind of relation, a class, and a member, a superclass, or
 * the methods that the bridge implements. If a reference of the group {@link #REQUIRED} is missing,
 * the copy is not served. Each other group is an optional feature.
 */
public final class CompatibilityCheck {
  /** The list of references, as an entry of the agent's jar. */
  public static final String LIST = "inst/dev/cistern/agent/weave/bridge-members.txt";

  static final String REQUIRED = "required";
  static final String CHANNELS = "channels";
  static final String EVENTS = "events";
  static final String HOLDERS = "holders";
  static final String LEAK_AWARE = "leakAware";
  static final String OBSERVATION = "observation";
  static final String RESET_COUNT = "resetCount";

  private static final int FIELDS = 4;

  private final String prefix;

  /** Function from an internal class name to the class file, or null. */
  private final Function<String, byte @Nullable []> classFiles;

  private final ClassHierarchy classes;
  private final String list;

  /** The first failure of each group that has one. */
  private final Map<String, String> failures = new HashMap<>();

  /**
   * @param prefix of the copy, as {@code io/netty}
   * @param classFiles function from an internal class name to the class file as the copy's loader
   *     sees it
   * @param list content of {@link #LIST}
   */
  public CompatibilityCheck(
      String prefix, Function<String, byte @Nullable []> classFiles, byte[] list) {
    this.prefix = prefix;
    this.classFiles = classFiles;
    this.classes = new ClassHierarchy(prefix + '/', classFiles);
    this.list = new String(list, StandardCharsets.UTF_8).replace("io/netty/", prefix + '/');
  }

  /** Returns null if the copy matches, otherwise the first difference. */
  public @Nullable String mismatch(String allocatorClass) {
    for (String line : list.strip().split("\n", -1)) {
      String[] fields = line.split(" ", FIELDS);
      if (!failures.containsKey(fields[0])) {
        String failure = failure(fields[1], fields[2], fields.length < FIELDS ? "" : fields[3]);
        if (failure != null) {
          failures.put(fields[0], failure.replace(" (", "("));
        }
      }
    }
    String mismatch = allocatorMismatch(allocatorClass);
    return mismatch == null ? failures.get(REQUIRED) : mismatch;
  }

  private @Nullable String failure(String relation, String owner, String rest) {
    ClassShape shape = classes.shape(owner);
    if (shape == null) {
      return "no class file for " + owner;
    }
    if (relation.equals("extends")) {
      return rest.equals(shape.superName()) ? null : owner + " does not extend " + rest;
    }
    if (relation.equals("implements")) {
      Set<String> missing = classes.abstractMethods(owner);
      missing.removeAll(Arrays.asList(rest.split(",")));
      return missing.isEmpty() ? null : owner + " has methods unknown to the bridge: " + missing;
    }
    if (rest.isEmpty()) {
      return isAccessible(shape.access(), relation) ? null : owner + " is not " + relation;
    }
    ClassShape declaring = classes.declaring(owner, rest);
    if (declaring == null) {
      return owner + " has no " + rest;
    }
    return isAccessible(declaring.access(rest), relation)
        ? null
        : owner + " has no " + relation + " " + rest;
  }

  private static boolean isAccessible(int flags, String needed) {
    return switch (needed) {
      case "package" -> (flags & Opcodes.ACC_PRIVATE) == 0;
      case "protected" -> (flags & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0;
      default -> (flags & Opcodes.ACC_PUBLIC) != 0;
    };
  }

  /**
   * Returns the first missing member that only the instrumented code refers to, and not the bridge;
   * null if there is none.
   */
  private @Nullable String allocatorMismatch(String allocatorClass) {
    ClassShape allocator = classes.shape(allocatorClass);
    String parent = prefix + "/buffer/AbstractByteBufAllocator";
    if (allocator == null) {
      return "no class file for " + allocatorClass;
    }
    if (!parent.equals(allocator.superName())) {
      return allocatorClass + " does not extend " + parent;
    }
    String signature = " (II)L" + prefix + "/buffer/ByteBuf;";
    String arenas = " [L" + prefix + "/buffer/PoolArena;";
    String[] members = {
      "newHeapBuffer" + signature,
      "newDirectBuffer" + signature,
      "heapArenas" + arenas,
      "directArenas" + arenas
    };
    int count = NettyNames.isPooled(allocatorClass) ? members.length : 2;
    for (int i = 0; i < count; i++) {
      if (!allocator.hasMember(members[i])) {
        return allocatorClass + " has no " + members[i].replace(" (", "(");
      }
    }
    return null;
  }

  /**
   * Returns whether the copy has its own method that resets reference counts; known after {@link
   * #mismatch}.
   */
  public boolean hasResetCount() {
    return !failures.containsKey(RESET_COUNT);
  }

  /**
   * Returns whether the copy's leak-aware wrapper accepts Cistern's tracker; known after {@link
   * #mismatch}. Otherwise accesses are not recorded, and nothing else differs.
   */
  public boolean isLeakAware() {
    return !failures.containsKey(LEAK_AWARE);
  }

  /** Returns whether the copy's channels can be watched; known after {@link #mismatch}. */
  public boolean hasChannels() {
    return !failures.containsKey(CHANNELS);
  }

  /** Returns whether holders of buffers can be seen; known after {@link #mismatch}. */
  public boolean hasHolders() {
    return !failures.containsKey(HOLDERS);
  }

  /**
   * Returns the classes to instrument so that holders of buffers, and channels, can be seen, as
   * {@code io/netty/buffer/CompositeByteBuf}; known after {@link #mismatch}.
   */
  public List<String> holdingClasses() {
    return hasHolders()
        ? HookCall.holding(prefix, hasChannels()).stream()
            .filter(this::isPossible)
            .map(HookCall::target)
            .toList()
        : List.of();
  }

  private boolean isPossible(HookCall call) {
    ClassShape target = classes.shape(call.target());
    return target != null && target.hasMember(call.method().replaceFirst("\\(", " ("));
  }

  /** Returns whether the copy has events of the flight recorder; known after {@link #mismatch}. */
  public boolean hasEvents() {
    return !failures.containsKey(EVENTS);
  }

  /**
   * Returns why allocations and releases of the copy's own buffers cannot be observed, or null;
   * known after {@link #mismatch}. Serving does not depend on it. A copy may lack an allocator, as
   * early 4.1 lacks the adaptive one.
   */
  public @Nullable String observationRefusal() {
    String refusal = failures.get(OBSERVATION);
    for (String name : new String[] {NettyNames.POOLED, NettyNames.ADAPTIVE}) {
      byte[] allocator = classFiles.apply(prefix + name);
      if (refusal == null && allocator != null) {
        String bufferName = NettyNames.buffersOf(prefix + name);
        ClassShape buffers = classes.shape(bufferName);
        refusal =
            buffers == null
                ? "no class file for " + bufferName
                : Instrumenter.observationRefusal(allocator, prefix + name, buffers);
      }
    }
    return refusal;
  }
}
