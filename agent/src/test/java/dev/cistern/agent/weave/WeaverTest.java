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

class WeaverTest {
  private static final String SERVING = ".*/Cistern(Hook|Observer)";
  private static final String[] HOOKS = {
    "/buffer/CisternHook", "/buffer/CisternObserver", "/buffer/CisternView"
  };

  @ParameterizedTest
  @CsvSource({
    "4.1,io/netty,/buffer/PooledByteBufAllocator",
    "4.1,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.2,io/netty,/buffer/PooledByteBufAllocator",
    "4.2,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.1,a/b/io/netty,/buffer/PooledByteBufAllocator",
    "4.1,io/netty,/buffer/PooledByteBuf",
    "4.1,io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
    "4.2,io/netty,/buffer/PooledByteBuf",
    "4.2,io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
    "4.2,a/b/io/netty,/buffer/AdaptivePoolingAllocator$AdaptiveByteBuf",
  })
  void aWovenClassPassesTheVerifierAndKeepsItsVersion(String line, String prefix, String name) {
    Map<String, byte[]> netty = NettyJars.relocated(NettyJars.classFiles(line), prefix);
    ClassRenamer renamer = new ClassRenamer().rename("io/netty/", prefix + '/');
    for (String hook : HOOKS) {
      netty.put(prefix + hook, renamer.apply(NettyJars.own("io/netty" + hook)));
    }
    byte[] woven = Weaver.weave(netty.get(prefix + name), prefix + name);
    assertThat(version(woven)).isEqualTo(version(netty.get(prefix + name)));
    StringWriter complaints = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(woven),
        NettyJars.loader(netty::get, ClassLoader.getPlatformClassLoader()),
        false,
        new PrintWriter(complaints, true));
    assertThat(complaints.toString()).isEmpty();
  }

  /** The calls of ours in the methods of a woven class, as {@code method: called called ...}. */
  private static List<String> callsOf(String hooks, byte[] woven) {
    List<String> calls = new ArrayList<>();
    new ClassReader(woven)
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
  void theObserverIsToldOfNettysOwnBuffersAndNotOfOurs(String line) {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    for (String allocator : new String[] {AllocatorNames.POOLED, AllocatorNames.ADAPTIVE}) {
      String name = "io/netty" + allocator;
      assertThat(callsOf(SERVING, Weaver.weave(netty.get(name), name)))
          .containsExactlyInAnyOrder(
              "newHeapBuffer: heap return allocated return",
              "newDirectBuffer: direct return allocated return");
      String buffer = BufferNames.ofAllocator(name);
      assertThat(callsOf(SERVING, Weaver.weave(netty.get(buffer), buffer)))
          .containsExactly("deallocate: deallocated");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void whatAnAllocatorTellsOfItselfGoesThroughTheView(String line) {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    String pooled = "io/netty" + AllocatorNames.POOLED;
    assertThat(callsOf(".*/CisternView", Weaver.weave(netty.get(pooled), pooled)))
        .containsExactlyInAnyOrder(
            "usedHeapMemory: usedHeapMemory",
            "usedDirectMemory: usedDirectMemory",
            "pinnedHeapMemory: pinnedHeapMemory",
            "pinnedDirectMemory: pinnedDirectMemory",
            "numThreadLocalCaches: numThreadLocalCaches",
            "trimCurrentThreadCache: trimCurrentThreadCache trimCurrentThreadCache");
    String adaptive = "io/netty" + AllocatorNames.ADAPTIVE;
    assertThat(callsOf(".*/CisternView", Weaver.weave(netty.get(adaptive), adaptive)))
        .containsExactlyInAnyOrder(
            "usedHeapMemory: usedHeapMemory", "usedDirectMemory: usedDirectMemory");
  }

  /** The first variables are what the observer is told. */
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
    assertThat(callsOf(SERVING, Weaver.weave(writer.toByteArray(), name)))
        .containsExactlyInAnyOrder(
            "newHeapBuffer: heap return return", "newDirectBuffer: direct return return");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"io/netty/buffer/PooledByteBufAllocator", "io/netty/buffer/PooledByteBuf"})
  void nettyOfJava6StaysSoWithoutInvokedynamic(String name) {
    byte[] woven = Weaver.weave(NettyJars.classFiles("4.1").get(name), name);
    assertThat(version(woven)).isEqualTo(Opcodes.V1_6);
    new ClassReader(woven)
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
    assertThatThrownBy(() -> Weaver.weave(other, "io/netty/buffer/PooledByteBufAllocator"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 of the 2 methods");
    assertThat(AllocatorNames.matches(name)).isFalse();
  }

  private static int version(byte[] classFile) {
    return ((classFile[6] & 0xff) << 8) | (classFile[7] & 0xff);
  }
}
