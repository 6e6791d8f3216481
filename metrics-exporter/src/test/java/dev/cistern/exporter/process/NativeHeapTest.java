/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/**
 * A trim counts memory of malloc's arenas, and not memory that the application unmaps at the same
 * time.
 */
@EnabledOnOs(LINUX)
class NativeHeapTest {
  private static final long MIB = 1L << 20;
  private static final File MAPS = new File("/proc/self/maps");

  private static void free(ByteBuffer direct) {
    try {
      Field field = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object unsafe = field.get(null);
      Method clean = unsafe.getClass().getMethod("invokeCleaner", ByteBuffer.class);
      clean.invoke(unsafe, direct);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Trims, while the application frees a buffer of 64 MiB, which malloc has mapped. */
  private static long freedWhileTheApplicationUnmaps(File maps) {
    ByteBuffer large = ByteBuffer.allocateDirect(64 << 20);
    NativeHeap.Trim trim =
        NativeHeap.trim(
            () -> {
              free(large);
              return "Trim native heap: RSS+Swap: 1M->1M (-1M)";
            },
            maps);
    assertThat(trim).isNotNull();
    assertThat(trim.residentBytes()).isPositive();
    return trim.freedBytes();
  }

  @Test
  void memoryThatTheApplicationUnmapsMeanwhileIsNotFreedByTheTrim() {
    assertThat(freedWhileTheApplicationUnmaps(MAPS)).isBetween(0L, 16 * MIB);
  }

  @Test
  void withoutMappingsTheResidentMemoryCounts(@TempDir Path folder) throws IOException {
    assertThat(freedWhileTheApplicationUnmaps(folder.resolve("none").toFile()))
        .isGreaterThan(48 * MIB);
    Path many = folder.resolve("maps");
    Files.writeString(many, "7f1200000000-7f1200001000 rw-p 0 00:00 0\n".repeat(100_001));
    assertThat(freedWhileTheApplicationUnmaps(many.toFile())).isGreaterThan(48 * MIB);
  }

  @Test
  void aTrimFreesMemoryThatArenasKeep() {
    List<ByteBuffer> kept = new ArrayList<>();
    List<ByteBuffer> freed = new ArrayList<>();
    for (int i = 0; i < 6_400; i++) { // 100 MiB
      (i % 64 == 63 ? kept : freed).add(ByteBuffer.allocateDirect(16 << 10));
    }
    freed.forEach(NativeHeapTest::free);
    NativeHeap.Trim trim = NativeHeap.trim();
    assumeThat(trim).as("this JVM and its C library can trim").isNotNull();
    assertThat(NativeHeap.last()).isEqualTo(trim);
    assertThat(trim.freedBytes()).isBetween(48 * MIB, 160 * MIB);
    assertThat(kept).hasSize(100);
  }
}
