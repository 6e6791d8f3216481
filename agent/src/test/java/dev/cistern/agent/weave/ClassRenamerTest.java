/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

class ClassRenamerTest {
  private static final Remapper REMAPPER =
      new Remapper(org.objectweb.asm.Opcodes.ASM9) {
        @Override
        public String map(String name) {
          if (name.equals("sun/misc/Unsafe")) {
            return "jdk/internal/misc/Unsafe";
          }
          return name.startsWith("io/netty/") ? "x/" + name : name;
        }
      };

  /** A pass through the whole class by ASM is the reference. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev/cistern/netty/pool/SlotByteBuf",
        "dev/cistern/netty/pool/CisternByteBuf",
        "dev/cistern/bridge/Bridge",
        "dev/cistern/bridge/BridgeHook",
        "dev/cistern/bridge/BridgeHooks",
        "dev/cistern/netty/pool/NettyDirectMemory",
        "dev/cistern/bridge/SelfTest",
        "dev/cistern/memory/MemoryAccess",
        "dev/cistern/pool/ThreadCache",
        "io/netty/buffer/CisternHook",
      })
  void theRenamedClassEqualsThatOfAsm(String className) {
    byte[] original = NettyJars.own(className);
    byte[] renamed =
        new ClassRenamer()
            .rename("io/netty/", "x/io/netty/")
            .rename("sun/misc/Unsafe", "jdk/internal/misc/Unsafe")
            .apply(original);
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(original).accept(new ClassRemapper(writer, REMAPPER), 0);
    assertThat(text(renamed)).isEqualTo(text(writer.toByteArray()));
  }

  @Test
  void theSameNameChangesNothing() {
    byte[] original = NettyJars.own("dev/cistern/netty/pool/SlotByteBuf");
    assertThat(new ClassRenamer().rename("io/netty/", "io/netty/").apply(original))
        .isEqualTo(original);
  }

  private static String text(byte[] classFile) {
    java.io.StringWriter out = new java.io.StringWriter();
    new ClassReader(classFile)
        .accept(new TraceClassVisitor(null, new Textifier(), new java.io.PrintWriter(out)), 0);
    return out.toString();
  }
}
