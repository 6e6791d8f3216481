/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

class PrologueTest {
  private static final String HOOK = "/buffer/CisternHook";

  @ParameterizedTest
  @CsvSource({
    "4.1,io/netty,/buffer/PooledByteBufAllocator",
    "4.1,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.2,io/netty,/buffer/PooledByteBufAllocator",
    "4.2,io/netty,/buffer/AdaptiveByteBufAllocator",
    "4.1,a/b/io/netty,/buffer/PooledByteBufAllocator",
  })
  void aWovenClassPassesTheVerifierAndKeepsItsVersion(String line, String prefix, String name) {
    Map<String, byte[]> netty = NettyJars.relocated(NettyJars.classFiles(line), prefix);
    netty.put(
        prefix + HOOK,
        new ClassRenamer()
            .rename("io/netty/", prefix + '/')
            .apply(NettyJars.own("io/netty" + HOOK)));
    byte[] woven = Prologue.weave(netty.get(prefix + name), prefix + name);
    assertThat(version(woven)).isEqualTo(version(netty.get(prefix + name)));
    StringWriter complaints = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(woven),
        NettyJars.loader(netty::get, ClassLoader.getPlatformClassLoader()),
        false,
        new PrintWriter(complaints, true));
    assertThat(complaints.toString()).isEmpty();
  }

  @Test
  void nettyOfJava6StaysSoWithoutInvokedynamic() {
    String name = "io/netty/buffer/PooledByteBufAllocator";
    byte[] woven = Prologue.weave(NettyJars.classFiles("4.1").get(name), name);
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
    assertThatThrownBy(() -> Prologue.weave(other, "io/netty/buffer/PooledByteBufAllocator"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 of the 2 methods");
    assertThat(AllocatorNames.matches(name)).isFalse();
  }

  private static int version(byte[] classFile) {
    return ((classFile[6] & 0xff) << 8) | (classFile[7] & 0xff);
  }
}
