/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Instruments a class of a Netty copy: an allocator, the superclass of all allocators, a class with
 * a {@link HookCall}, or an allocator of another library.
 */
final class Instrumenter extends ClassVisitor {
  private static final String COUNTED = "/buffer/AbstractReferenceCountedByteBuf";

  /** Flags of methods without a body to instrument. */
  private static final int BODILESS = Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE;

  private static final Set<String> METRICS =
      Set.of(
          "usedHeapMemory()J",
          "usedDirectMemory()J",
          "pinnedHeapMemory()J",
          "pinnedDirectMemory()J",
          "numThreadLocalCaches()I",
          "trimCurrentThreadCache()Z");

  private final String className;
  private final String prefix;
  private final boolean observes;

  /** The call to add; null if the class is an allocator. */
  private final @Nullable HookCall call;

  private final AllocationExitVisitor[] exits = new AllocationExitVisitor[2];

  /** Number of required methods that were found. */
  private int found;

  private Instrumenter(
      @Nullable ClassVisitor next, String className, @Nullable HookCall call, boolean observes) {
    super(Opcodes.ASM9, next);
    this.className = className;
    this.prefix = call == null ? NettyNames.prefix(className) : "";
    this.call = call;
    this.observes = observes;
  }

  /**
   * Returns the instrumented class.
   *
   * @param className its internal name
   * @throws IllegalArgumentException if it does not have the methods that must be instrumented
   */
  static byte[] instrument(byte[] classFile, String className) {
    HookCall call = HookCall.of(className);
    if (call == null && !NettyNames.isOfNetty(className)) {
      return ArenaCalls.instrument(classFile, NettyNames.prefix(className));
    }
    boolean observes =
        NettyNames.isAllocator(className) && exitRefusal(classFile, className) == null;
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    Instrumenter instrumenter = new Instrumenter(writer, className, call, observes);
    reader.accept(instrumenter, 0);
    int expected = NettyNames.isAllocator(className) ? 2 : 1;
    if (instrumenter.found != expected) {
      throw new IllegalArgumentException(
          className
              + " has "
              + instrumenter.found
              + " of the "
              + expected
              + " methods to instrument");
    }
    return writer.toByteArray();
  }

  /** Returns why the buffers of an allocator cannot be observed, or null. */
  static @Nullable String observationRefusal(
      byte[] allocator, String allocatorName, ClassShape buffers) {
    String refusal = exitRefusal(allocator, allocatorName);
    String counted = NettyNames.prefix(allocatorName) + COUNTED;
    if (refusal != null) {
      return refusal;
    }
    if (!counted.equals(buffers.superName())) {
      return buffers.name + " does not extend " + counted;
    }
    String deallocate = "deallocate ()V";
    return buffers.hasMember(deallocate) && !buffers.isAbstract(deallocate)
        ? null
        : buffers.name + " has no deallocate()";
  }

  /** Returns why the exits of an allocator cannot be instrumented, or null. */
  private static @Nullable String exitRefusal(byte[] allocator, String className) {
    Instrumenter attempt = new Instrumenter(null, className, null, true);
    new ClassReader(allocator).accept(attempt, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    for (AllocationExitVisitor exit : attempt.exits) {
      String refusal = exit == null ? "lacks a method that allocates" : exit.refusal();
      if (refusal != null) {
        return className + ' ' + refusal;
      }
    }
    return null;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor body = super.visitMethod(access, name, descriptor, signature, exceptions);
    String method = name + descriptor;
    if ((access & BODILESS) != 0) {
      return body;
    }
    if (call != null) {
      return method.equals(call.method()) ? with(call, body) : body;
    }
    if ((access & Opcodes.ACC_STATIC) != 0) {
      return body;
    }
    String allocator = "L" + prefix + NettyNames.ABSTRACT + ';';
    if (METRICS.contains(method)) {
      String type = descriptor.substring(2);
      return new ExitCallVisitor(
          body, prefix + "/buffer/CisternMemoryMetrics", name, '(' + type + allocator + ')' + type);
    }
    if (className.endsWith(NettyNames.ABSTRACT) && method.equals("<init>(Z)V")) {
      found++;
      return new ExitCallVisitor(
          body, prefix + "/buffer/CisternHook", "created", '(' + allocator + ")V");
    }
    boolean direct = name.equals("newDirectBuffer");
    return (direct || name.equals("newHeapBuffer"))
            && descriptor.equals("(II)L" + prefix + "/buffer/ByteBuf;")
        ? allocation(body, direct)
        : body;
  }

  private MethodVisitor with(HookCall added, @Nullable MethodVisitor body) {
    found++;
    return added.isAtExit()
        ? new ExitCallVisitor(body, added.owner(), added.name(), added.descriptor())
        : new HeadCallVisitor(body, added);
  }

  /**
   * Returns the visitor of an allocation method. The exit visitor is the outer one, so that it does
   * not see the prologue's return.
   */
  private MethodVisitor allocation(@Nullable MethodVisitor body, boolean direct) {
    MethodVisitor entry = new AllocationEntryVisitor(body, className, direct);
    AllocationExitVisitor exit = new AllocationExitVisitor(entry, prefix);
    exits[found++ % 2] = exit;
    return observes ? exit : entry;
  }
}
