/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class StructureTest {
  private static final String POOLED = "io/netty/buffer/PooledByteBufAllocator";
  private static final String ADAPTIVE = "io/netty/buffer/AdaptiveByteBufAllocator";

  private static Structure structure(String prefix, Map<String, byte[]> classFiles) {
    return new Structure(
        prefix,
        classFiles::get,
        NettyJars.own("dev/cistern/netty/pool/SlotByteBuf"),
        NettyJars.own("dev/cistern/netty/pool/CisternByteBuf"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void thePublishedNettyMatches(String line) {
    Structure structure = structure("io/netty", NettyJars.classFiles(line));
    assertThat(structure.mismatch(POOLED)).isNull();
    assertThat(structure.mismatch(ADAPTIVE)).isNull();
    assertThat(structure.resetsCount()).isTrue();
    assertThat(structure.isLeakAware()).isTrue();
    assertThat(structure.observationRefusal()).isNull();
    assertThat(structure.hasEvents()).isEqualTo(line.equals("4.2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aRelocatedCopyMatchesUnderItsOwnPrefix(String line) {
    String prefix = "org/shop/shaded/io/netty";
    Map<String, byte[]> classFiles = NettyJars.relocated(NettyJars.classFiles(line), prefix);
    assertThat(structure(prefix, classFiles).mismatch(prefix + AllocatorNames.POOLED)).isNull();
    assertThat(structure(prefix, classFiles).mismatch(prefix + AllocatorNames.ADAPTIVE)).isNull();
  }

  @Test
  void aClassThatIsMissingIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    classFiles.remove("io/netty/util/internal/PlatformDependent");
    assertThat(structure("io/netty", classFiles).mismatch(POOLED))
        .isEqualTo("no class file for io/netty/util/internal/PlatformDependent");
  }

  @Test
  void aMethodThatIsMissingIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    change(classFiles, "io/netty/buffer/AbstractByteBuf", "trimIndicesToCapacity", null);
    assertThat(structure("io/netty", classFiles).mismatch(POOLED))
        .contains("trimIndicesToCapacity(I)V");
  }

  @Test
  void aMethodThatTheBridgeDoesNotImplementIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/buffer/AbstractByteBuf", "_getInt", "_getSomethingNew");
    assertThat(structure("io/netty", classFiles).mismatch(POOLED)).contains("_getSomethingNew(I)I");
  }

  @Test
  void anOlderNettyWithoutItsOwnResetOfTheCountStillMatches() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    change(classFiles, "io/netty/buffer/AbstractReferenceCountedByteBuf", "resetRefCnt", null);
    Structure structure = structure("io/netty", classFiles);
    assertThat(structure.mismatch(POOLED)).isNull();
    assertThat(structure.resetsCount()).isFalse();
  }

  @Test
  void aNettyWhoseLeakAwareWrapperDiffersStillMatchesWithoutRecords() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/util/ResourceLeakTracker", "record", "note");
    Structure structure = structure("io/netty", classFiles);
    assertThat(structure.mismatch(POOLED)).isNull();
    assertThat(structure.isLeakAware()).isFalse();
  }

  @Test
  void aNettyWithoutTheAdaptiveAllocatorCanBeObserved() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    classFiles.keySet().removeIf(name -> name.contains("/Adaptive"));
    Structure structure = structure("io/netty", classFiles);
    assertThat(structure.mismatch(POOLED)).isNull();
    assertThat(structure.observationRefusal()).isNull();
  }

  @Test
  void aNettyWhoseBuffersEndElsewhereIsServedButNotObserved() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/buffer/PooledByteBuf", "deallocate", "giveBack");
    Structure structure = structure("io/netty", classFiles);
    assertThat(structure.mismatch(ADAPTIVE)).isNull();
    assertThat(structure.observationRefusal()).contains("PooledByteBuf has no deallocate()");
  }

  @Test
  void aNettyWhoseEventsDifferStillMatchesWithoutThem() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    classFiles.remove("io/netty/buffer/FreeChunkEvent");
    Structure structure = structure("io/netty", classFiles);
    assertThat(structure.mismatch(POOLED)).isNull();
    assertThat(structure.hasEvents()).isFalse();
  }

  @Test
  void anAllocatorByNameOnlyDoesNotMatch() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    ClassWriter other = new ClassWriter(0);
    other.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, POOLED, null, "java/lang/Object", null);
    classFiles.put(POOLED, other.toByteArray());
    assertThat(structure("io/netty", classFiles).mismatch(POOLED)).contains("does not extend");
  }

  /**
   * What the bridge refers to in Netty exists in both lines, or is one of the few members that it
   * asks for before it uses them. A reference that is new shows up here.
   */
  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void everythingThatTheBridgeRefersToIsThere(String line) {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    Set<String> missing = new HashSet<>();
    for (String name :
        new String[] {
          "netty/pool/SlotByteBuf",
          "netty/pool/CisternByteBuf",
          "netty/pool/NettyDirectMemory",
          "netty/pool/CountedBackend",
          "netty/pool/NettyBackend",
          "netty/pool/NettyFeatures",
          "netty/pool/NettyPool",
          "netty/pool/NettyPools",
          "netty/pool/PoolHooks",
          "netty/pool/PoolHooks$NettyWrapper",
          "netty/pool/NettyLeakDetector",
          "netty/pool/RecordedTracker",
          "bridge/Bridge",
          "bridge/BridgeHook",
          "bridge/BridgeHooks",
          "bridge/FirstBuffer",
          "bridge/SelfTest",
          "bridge/SelfTest$Allocator",
          "bridge/Allocators",
          "bridge/Countdowns",
          "bridge/NettyObserver",
          "bridge/Observation$Observer",
          "bridge/SampledBuffers",
          "bridge/HostView",
          "bridge/Events",
        }) {
      BridgeReferences.of(NettyJars.own("dev/cistern/" + name))
          .forEach(
              reference -> {
                if (!reference.existsIn(netty)) {
                  missing.add(reference.toString());
                }
              });
    }
    missing.removeIf(name -> name.contains("io/netty/buffer/Cistern")); // the agent adds these
    missing.removeIf(name -> name.contains("io/netty/util/internal/CisternMemory."));
    assertThat(missing)
        .isSubsetOf(
            "io/netty/util/internal/PlatformDependent.allocateDirectNoCleaner(I)Ljava/nio/ByteBuffer;",
            "io/netty/util/internal/PlatformDependent.freeDirectNoCleaner(Ljava/nio/ByteBuffer;)V");
    if (line.equals("4.1")) {
      assertThat(missing).isEmpty();
    }
  }

  /** Renames a method, or takes it away. */
  private static void change(
      Map<String, byte[]> classFiles, String className, String method, String newName) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFiles.get(className))
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                if (!name.equals(method)) {
                  return super.visitMethod(access, name, descriptor, signature, thrown);
                }
                return newName == null
                    ? null
                    : super.visitMethod(access, newName, descriptor, signature, thrown);
              }
            },
            0);
    classFiles.put(className, writer.toByteArray());
  }
}
