/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

class InstrumenterTest {
  private static final String SERVING = ".*/Cistern(Hook|Observer)";
  private static final String OWN_ARENAS = "/buffer/OwnArenaAllocator";
  private static final String[] HOOKS = {
    "/buffer/CisternHolders",
    "/buffer/CisternHook",
    "/buffer/CisternMemoryMetrics",
    "/buffer/CisternObserver",
    "/channel/CisternChannels"
  };

  @ParameterizedTest
  @CsvSource({
    "4.1,io/netty,/buffer/PooledByteBufAllocator",
    "4.1,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.2,io/netty,/buffer/PooledByteBufAllocator",
    "4.2,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.1,a/b/io/netty,/buffer/PooledByteBufAllocator",
    "4.1,io/netty,/buffer/AbstractByteBufAllocator",
    "4.2,a/b/io/netty,/buffer/AbstractByteBufAllocator",
    "4.1,io/netty,/buffer/OwnArenaAllocator",
    "4.2,a/b/io/netty,/buffer/OwnArenaAllocator",
    "4.1,io/netty,/buffer/PooledByteBuf",
    "4.1,io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
    "4.2,io/netty,/buffer/PooledByteBuf",
    "4.2,io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
    "4.2,a/b/io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
    "4.1,io/netty,/buffer/AbstractReferenceCountedByteBuf",
    "4.2,a/b/io/netty,/buffer/AbstractReferenceCountedByteBuf",
    "4.1,io/netty,/buffer/CompositeByteBuf",
    "4.2,io/netty,/buffer/CompositeByteBuf",
    "4.1,io/netty,/buffer/AbstractPooledDerivedByteBuf",
    "4.2,a/b/io/netty,/buffer/AbstractPooledDerivedByteBuf",
    "4.1,io/netty,/buffer/AbstractUnpooledSlicedByteBuf",
    "4.2,a/b/io/netty,/buffer/AbstractUnpooledSlicedByteBuf",
    "4.1,a/b/io/netty,/handler/codec/ByteToMessageDecoder",
    "4.2,io/netty,/handler/codec/ByteToMessageDecoder",
    "4.1,io/netty,/channel/AbstractChannel$AbstractUnsafe",
    "4.2,a/b/io/netty,/channel/AbstractChannel$AbstractUnsafe",
  })
  void anInstrumentedClassPassesTheVerifierAndKeepsItsVersion(
      String line, String prefix, String name) {
    Map<String, byte[]> netty = NettyJars.relocated(NettyJars.classFiles(line), prefix);
    ClassRenamer renamer = new ClassRenamer().rename("io/netty/", prefix + '/');
    netty.put(prefix + OWN_ARENAS, renamer.apply(NettyJars.own("io/netty" + OWN_ARENAS)));
    for (String hook : HOOKS) {
      netty.put(prefix + hook, renamer.apply(NettyJars.own("io/netty" + hook)));
    }
    byte[] instrumented = Instrumenter.instrument(netty.get(prefix + name), prefix + name);
    assertThat(version(instrumented)).isEqualTo(version(netty.get(prefix + name)));
    StringWriter verifierErrors = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(instrumented),
        NettyJars.loader(netty::get, ClassLoader.getPlatformClassLoader()),
        false,
        new PrintWriter(verifierErrors, true));
    assertThat(verifierErrors.toString()).isEmpty();
  }

  /**
   * Returns the calls of hooks in the methods of an instrumented class, as {@code method: called
   * called ...}.
   */
  private static List<String> callsOf(String hooks, byte[] instrumented) {
    List<String> calls = new ArrayList<>();
    new ClassReader(instrumented)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private String found = "";

                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String called, String type, boolean face) {
                    found += owner.matches(hooks) ? ' ' + called : "";
                  }

                  @Override
                  public void visitInsn(int opcode) {
                    found += opcode == Opcodes.ARETURN && !found.isEmpty() ? " return" : "";
                  }

                  @Override
                  public void visitEnd() {
                    if (!found.isEmpty()) {
                      calls.add(method + ':' + found);
                    }
                  }
                };
              }
            },
            0);
    return calls;
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theObserverReceivesNettysBuffersAndNotThoseOfThePool(String line) {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    for (String allocator : new String[] {NettyNames.POOLED, NettyNames.ADAPTIVE}) {
      String name = "io/netty" + allocator;
      assertThat(callsOf(SERVING, Instrumenter.instrument(netty.get(name), name)))
          .containsExactlyInAnyOrder(
              "newHeapBuffer: heap return allocated return",
              "newDirectBuffer: direct return allocated return");
      String buffer = NettyNames.buffersOf(name);
      assertThat(callsOf(SERVING, Instrumenter.instrument(netty.get(buffer), buffer)))
          .containsExactly("deallocate: deallocated");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void allMetricsOfAnAllocatorUseTheView(String line) {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    String pooled = "io/netty" + NettyNames.POOLED;
    assertThat(
            callsOf(".*/CisternMemoryMetrics", Instrumenter.instrument(netty.get(pooled), pooled)))
        .containsExactlyInAnyOrder(
            "usedHeapMemory: usedHeapMemory",
            "usedDirectMemory: usedDirectMemory",
            "pinnedHeapMemory: pinnedHeapMemory",
            "pinnedDirectMemory: pinnedDirectMemory",
            "numThreadLocalCaches: numThreadLocalCaches",
            "trimCurrentThreadCache: trimCurrentThreadCache trimCurrentThreadCache");
    String adaptive = "io/netty" + NettyNames.ADAPTIVE;
    assertThat(
            callsOf(
                ".*/CisternMemoryMetrics", Instrumenter.instrument(netty.get(adaptive), adaptive)))
        .containsExactlyInAnyOrder(
            "usedHeapMemory: usedHeapMemory", "usedDirectMemory: usedDirectMemory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void theHookReceivesEachAllocatorOnce(String line) {
    String name = "io/netty" + NettyNames.ABSTRACT;
    byte[] netty = NettyJars.classFiles(line).get(name);
    assertThat(callsOf(SERVING, Instrumenter.instrument(netty, name)))
        .containsExactly("<init>: created");
  }

  @Test
  void theObserverReceivesBuffersThatAnotherLibraryTakesFromArenas() {
    String name = "io/netty" + OWN_ARENAS;
    byte[] own = NettyJars.own(name);
    ArenaCalls calls = ArenaCalls.of(own, "io/netty");
    assertThat(calls.methods()).containsExactly("ownBuffer");
    assertThat(calls.isObservable()).isTrue();
    assertThat(callsOf(SERVING, Instrumenter.instrument(own, name)))
        .containsExactly("ownBuffer: taken return");
  }

  /** A static method has no reference to the allocator. */
  @Test
  void aStaticMethodThatTakesFromArenasIsNotObservable() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V11, 0, "io/netty/buffer/OtherAllocator", null, "java/lang/Object", null);
    MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "take", "()V", null, null);
    method.visitCode();
    method.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "io/netty/buffer/PoolArena",
        "allocate",
        "(Lio/netty/buffer/PoolThreadCache;II)Lio/netty/buffer/PooledByteBuf;",
        false);
    method.visitMaxs(4, 0);
    method.visitEnd();
    writer.visitEnd();
    ArenaCalls calls = ArenaCalls.of(writer.toByteArray(), "io/netty");
    assertThat(calls.methods()).containsExactly("take");
    assertThat(calls.isObservable()).isFalse();
    assertThat(callsOf(SERVING, ArenaCalls.instrument(writer.toByteArray(), "io/netty"))).isEmpty();
  }

  /** The observer receives the first variables, which must be the arguments. */
  @Test
  void anAllocatorThatChangesItsArgumentsIsServedButNotObserved() {
    String name = "io/netty/buffer/PooledByteBufAllocator";
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(NettyJars.classFiles("4.1").get(name))
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(
                    Opcodes.ASM9,
                    super.visitMethod(access, method, descriptor, signature, thrown)) {
                  @Override
                  public void visitCode() {
                    super.visitCode();
                    if (method.equals("newDirectBuffer")) {
                      visitIincInsn(1, 1);
                    }
                  }
                };
              }
            },
            0);
    assertThat(callsOf(SERVING, Instrumenter.instrument(writer.toByteArray(), name)))
        .containsExactlyInAnyOrder(
            "newHeapBuffer: heap return return", "newDirectBuffer: direct return return");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"io/netty/buffer/PooledByteBufAllocator", "io/netty/buffer/PooledByteBuf"})
  void nettyOfJava6StaysSoWithoutInvokedynamic(String name) {
    byte[] instrumented = Instrumenter.instrument(NettyJars.classFiles("4.1").get(name), name);
    assertThat(version(instrumented)).isEqualTo(Opcodes.V1_6);
    new ClassReader(instrumented)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitInvokeDynamicInsn(
                      String called, String type, Handle bootstrap, Object... arguments) {
                    throw new AssertionError("invokedynamic in " + method);
                  }
                };
              }
            },
            0);
  }

  @Test
  void aClassWithoutBothMethodsIsRefused() {
    String name = "io/netty/buffer/UnpooledByteBufAllocator";
    byte[] other = NettyJars.classFiles("4.1").get("io/netty/buffer/ByteBuf");
    assertThatThrownBy(
            () -> Instrumenter.instrument(other, "io/netty/buffer/PooledByteBufAllocator"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 of the 2 methods");
    assertThat(NettyNames.isAllocator(name)).isFalse();
  }

  private static int version(byte[] classFile) {
    return ((classFile[6] & 0xff) << 8) | (classFile[7] & 0xff);
  }
}
