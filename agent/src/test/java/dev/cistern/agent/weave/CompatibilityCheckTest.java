/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class CompatibilityCheckTest {
  private static final String POOLED = "io/netty/buffer/PooledByteBufAllocator";
  private static final String ADAPTIVE = "io/netty/buffer/AdaptiveByteBufAllocator";

  private static final String LIST = "dev/cistern/agent/weave/bridge-members.txt";

  private static byte[] list() {
    try (InputStream in = NettyJars.class.getClassLoader().getResourceAsStream(LIST)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the lines of the list, each as group, relation, class, and a remainder that may be
   * empty.
   */
  static Stream<String[]> lines() {
    return new String(list(), UTF_8).lines().map(line -> (line + ' ').split(" ", 4));
  }

  private static CompatibilityCheck check(String prefix, Map<String, byte[]> classFiles) {
    return new CompatibilityCheck(prefix, classFiles::get, list());
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void thePublishedNettyMatches(String line) {
    CompatibilityCheck check = check("io/netty", NettyJars.classFiles(line));
    assertThat(check.mismatch(POOLED)).isNull();
    assertThat(check.mismatch(ADAPTIVE)).isNull();
    assertThat(check.hasResetCount()).isTrue();
    assertThat(check.isLeakAware()).isTrue();
    assertThat(check.observationRefusal()).isNull();
    assertThat(check.hasEvents()).isEqualTo(line.equals("4.2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1", "4.2"})
  void aRelocatedCopyMatchesUnderItsOwnPrefix(String line) {
    String prefix = "org/shop/shaded/io/netty";
    Map<String, byte[]> classFiles = NettyJars.relocated(NettyJars.classFiles(line), prefix);
    assertThat(check(prefix, classFiles).mismatch(prefix + NettyNames.POOLED)).isNull();
    assertThat(check(prefix, classFiles).mismatch(prefix + NettyNames.ADAPTIVE)).isNull();
  }

  @Test
  void aClassThatIsMissingIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    classFiles.remove("io/netty/util/internal/PlatformDependent");
    assertThat(check("io/netty", classFiles).mismatch(POOLED))
        .isEqualTo("no class file for io/netty/util/internal/PlatformDependent");
  }

  @Test
  void aMethodThatIsMissingIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    change(classFiles, "io/netty/buffer/AbstractByteBuf", "trimIndicesToCapacity", null);
    assertThat(check("io/netty", classFiles).mismatch(POOLED))
        .contains("trimIndicesToCapacity(I)V");
  }

  @Test
  void aMethodThatTheBridgeDoesNotImplementIsNamed() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/buffer/AbstractByteBuf", "_getInt", "_getSomethingNew");
    assertThat(check("io/netty", classFiles).mismatch(POOLED)).contains("_getSomethingNew(I)I");
  }

  @Test
  void anOlderNettyWithoutItsOwnResetOfTheCountStillMatches() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    change(classFiles, "io/netty/buffer/AbstractReferenceCountedByteBuf", "resetRefCnt", null);
    CompatibilityCheck check = check("io/netty", classFiles);
    assertThat(check.mismatch(POOLED)).isNull();
    assertThat(check.hasResetCount()).isFalse();
  }

  @Test
  void aNettyWhoseLeakAwareWrapperDiffersStillMatchesWithoutRecords() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/util/ResourceLeakTracker", "record", "note");
    CompatibilityCheck check = check("io/netty", classFiles);
    assertThat(check.mismatch(POOLED)).isNull();
    assertThat(check.isLeakAware()).isFalse();
  }

  @Test
  void aNettyWithoutTheAdaptiveAllocatorCanBeObserved() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    classFiles.keySet().removeIf(name -> name.contains("/Adaptive"));
    CompatibilityCheck check = check("io/netty", classFiles);
    assertThat(check.mismatch(POOLED)).isNull();
    assertThat(check.observationRefusal()).isNull();
  }

  @Test
  void aNettyWithAnotherDeallocationIsServedButNotObserved() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    change(classFiles, "io/netty/buffer/PooledByteBuf", "deallocate", "giveBack");
    CompatibilityCheck check = check("io/netty", classFiles);
    assertThat(check.mismatch(ADAPTIVE)).isNull();
    assertThat(check.observationRefusal()).contains("PooledByteBuf has no deallocate()");
  }

  @Test
  void aNettyWhoseEventsDifferStillMatchesWithoutThem() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    classFiles.remove("io/netty/buffer/FreeChunkEvent");
    CompatibilityCheck check = check("io/netty", classFiles);
    assertThat(check.mismatch(POOLED)).isNull();
    assertThat(check.hasEvents()).isFalse();
  }

  @Test
  void anAllocatorByNameOnlyDoesNotMatch() {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    ClassWriter other = new ClassWriter(0);
    other.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, POOLED, null, "java/lang/Object", null);
    classFiles.put(POOLED, other.toByteArray());
    assertThat(check("io/netty", classFiles).mismatch(POOLED)).contains("does not extend");
  }

  /** Returns the failure of a group in a check of the copy; null if all members are present. */
  private static String verdict(String group, Map<String, byte[]> classFiles) {
    CompatibilityCheck check = check("io/netty", classFiles);
    String mismatch = check.mismatch(POOLED);
    return switch (group) {
      case "required" -> mismatch;
      case "observation" -> check.observationRefusal();
      case "channels" -> check.hasChannels() ? null : "none";
      case "holders" -> check.hasHolders() ? null : "none";
      case "events" -> check.hasEvents() ? null : "none";
      case "leakAware" -> check.isLeakAware() ? null : "none";
      case "resetCount" -> check.hasResetCount() ? null : "none";
      default -> throw new AssertionError(group);
    };
  }

  /** If any member of the list is missing, its group fails, and the message names the member. */
  @Test
  void eachMemberThatIsMissingIsReported() {
    Map<String, byte[]> netty = NettyJars.classFiles("4.2");
    List<String[]> members =
        lines().filter(line -> line[3].matches("[^ ]+ [^ ,]+ ?")).collect(Collectors.toList());
    assertThat(members).hasSizeGreaterThan(100);
    for (String[] line : members) {
      Map<String, byte[]> classFiles = new HashMap<>(netty);
      String[] member = line[3].trim().split(" ", -1);
      removeAlong(classFiles, line[2], member[0], member[1]);
      String verdict = verdict(line[0], classFiles);
      assertThat(verdict).as("%s", Arrays.toString(line)).isNotNull();
      if (line[0].equals("required") || line[0].equals("observation")) {
        assertThat(verdict).contains(member[0]);
      }
    }
  }

  @Test
  void eachClassThatIsMissingIsReported() {
    Map<String, byte[]> netty = NettyJars.classFiles("4.2");
    Set<String> reported = new HashSet<>();
    lines()
        .filter(line -> line[3].isEmpty() && reported.add(line[0] + line[2]))
        .forEach(
            line -> {
              Map<String, byte[]> classFiles = new HashMap<>(netty);
              classFiles.remove(line[2]);
              assertThat(verdict(line[0], classFiles)).as(line[2]).isNotNull();
            });
    assertThat(reported).hasSizeGreaterThan(30);
  }

  @Test
  void eachOtherSuperclassIsReported() {
    Map<String, byte[]> netty = NettyJars.classFiles("4.2");
    List<String[]> relations =
        lines().filter(line -> line[1].equals("extends")).collect(Collectors.toList());
    assertThat(relations).hasSizeGreaterThan(5);
    for (String[] line : relations) {
      Map<String, byte[]> classFiles = new HashMap<>(netty);
      rewrite(
          classFiles,
          line[2],
          next ->
              new ClassVisitor(Opcodes.ASM9, next) {
                @Override
                public void visit(
                    int version, int access, String name, String type, String sup, String[] faces) {
                  super.visit(version, access, name, type, "io/netty/Other", faces);
                }
              });
      assertThat(verdict(line[0], classFiles)).as(line[2]).isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "io/netty/buffer/AbstractByteBuf,checkIndex,0,has no protected checkIndex(II)V",
    "io/netty/buffer/PooledSlicedByteBuf,newInstance,2,has no package newInstance",
    "io/netty/util/internal/PlatformDependent,hasUnsafe,4,has no public hasUnsafe()Z",
  })
  void aMethodThatTheBridgeCannotAccessIsNamed(
      String className, String method, int access, String message) {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.1");
    rewrite(
        classFiles,
        className,
        next ->
            new ClassVisitor(Opcodes.ASM9, next) {
              @Override
              public MethodVisitor visitMethod(
                  int flags, String name, String descriptor, String signature, String[] thrown) {
                int changed = name.equals(method) ? (flags & ~7) | access : flags;
                return super.visitMethod(changed, name, descriptor, signature, thrown);
              }
            });
    assertThat(check("io/netty", classFiles).mismatch(POOLED)).contains(className, message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"heapArenas", "directArenas", "newHeapBuffer", "newDirectBuffer"})
  void membersForTheInstrumentedCodeMustBeInTheAllocatorItself(String member) {
    Map<String, byte[]> classFiles = NettyJars.classFiles("4.2");
    remove(classFiles, POOLED, member, "");
    assertThat(check("io/netty", classFiles).mismatch(POOLED)).contains(POOLED, "has no " + member);
  }

  @Test
  void theListHasTheReferencesOfHooksBridgeAndPool() {
    assertThat(new String(list(), UTF_8).lines())
        .contains(
            "required protected io/netty/buffer/AbstractByteBuf trimIndicesToCapacity (I)V",
            "required public io/netty/util/internal/PlatformDependent usedDirectMemory ()J",
            "required protected io/netty/buffer/AbstractByteBufAllocator <init> (Z)V",
            "leakAware package io/netty/buffer/SimpleLeakAwareByteBuf leak"
                + " Lio/netty/util/ResourceLeakTracker;",
            "observation public io/netty/buffer/PoolArenaMetric numActiveBytes ()J",
            "resetCount protected io/netty/buffer/AbstractReferenceCountedByteBuf resetRefCnt ()V")
        .noneMatch(line -> line.split(" ", 4)[2].contains("/Cistern"))
        .noneMatch(line -> line.contains(" allocateDirectNoCleaner "));
  }

  /** Removes a member from the class and all its supertypes. */
  private static void removeAlong(
      Map<String, byte[]> classFiles, String owner, String name, String descriptor) {
    for (; ; ) {
      ClassShape declaring =
          new ClassHierarchy("io/netty/", classFiles::get)
              .declaring(owner, name + ' ' + descriptor);
      if (declaring == null) {
        return;
      }
      remove(classFiles, declaring.name, name, descriptor);
    }
  }

  private static void remove(
      Map<String, byte[]> classFiles, String className, String member, String start) {
    rewrite(
        classFiles,
        className,
        next ->
            new ClassVisitor(Opcodes.ASM9, next) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                return name.equals(member) && descriptor.startsWith(start)
                    ? null
                    : super.visitMethod(access, name, descriptor, signature, thrown);
              }

              @Override
              public FieldVisitor visitField(
                  int access, String name, String descriptor, String signature, Object value) {
                return name.equals(member) && descriptor.startsWith(start)
                    ? null
                    : super.visitField(access, name, descriptor, signature, value);
              }
            });
  }

  private static void rewrite(
      Map<String, byte[]> classFiles, String className, UnaryOperator<ClassVisitor> change) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFiles.get(className)).accept(change.apply(writer), 0);
    classFiles.put(className, writer.toByteArray());
  }

  /** Renames a method, or removes it. */
  private static void change(
      Map<String, byte[]> classFiles, String className, String method, String newName) {
    if (newName == null) {
      remove(classFiles, className, method, "");
      return;
    }
    rewrite(
        classFiles,
        className,
        next ->
            new ClassVisitor(Opcodes.ASM9, next) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                String changed = name.equals(method) ? newName : name;
                return super.visitMethod(access, changed, descriptor, signature, thrown);
              }
            });
  }
}
