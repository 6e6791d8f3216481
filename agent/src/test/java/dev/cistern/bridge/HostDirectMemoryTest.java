/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cistern.agent.weave.NettyJars;
import dev.cistern.stats.NettyReport.DirectMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The account of direct memory, for each way in which Netty and the JVM count it. */
class HostDirectMemoryTest {
  /**
   * Property that decides whether Netty itself frees buffers, without a cleaner. Netty reads it
   * once.
   */
  private static final String NO_CLEANER = "io.netty.tryReflectionSetAccessible";

  private static final String NO_LIMIT = "io.netty.maxDirectMemory";

  /** The probes keep their memory, which the JVM counts, until the last of them has measured. */
  private static final List<Object> PROBES = new ArrayList<>();

  @AfterAll
  static void forgetProbes() {
    PROBES.clear();
  }

  private static byte[] classFile(Map<String, byte[]> netty, String name) {
    byte[] found = netty.get(name);
    if (found != null || (name.startsWith("io/netty/") && !name.contains("/Cistern"))) {
      return found;
    }
    try (InputStream in =
        HostDirectMemoryTest.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static long[] probe(String line) throws ReflectiveOperationException {
    Map<String, byte[]> netty = NettyJars.classFiles(line);
    ClassLoader loader =
        NettyJars.loader(name -> classFile(netty, name), ClassLoader.getPlatformClassLoader());
    Object probe =
        loader.loadClass(DirectMemoryProbe.class.getName()).getDeclaredConstructor().newInstance();
    PROBES.add(probe);
    return (long[]) ((Supplier<?>) probe).get();
  }

  private static void set(String property, String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4.1,true,,false,true",
    "4.1,false,,true,false",
    "4.1,true,0,true,false",
    "4.2,true,,false,true",
    "4.2,false,,true,true",
    "4.2,false,0,true,false",
    "4.2,true,0,true,false",
  })
  void theAccountsAreThoseOfTheJvmAndOfNetty(
      String line, String noCleaner, String limit, boolean isInJvm, boolean isCounted)
      throws ReflectiveOperationException {
    String before = System.getProperty(NO_CLEANER);
    long[] found;
    try {
      set(NO_CLEANER, noCleaner);
      set(NO_LIMIT, limit);
      found = probe(line);
    } finally {
      set(NO_CLEANER, before);
      set(NO_LIMIT, null);
    }
    long adaptive = found[3];
    assertThat(adaptive).isPositive();
    assertThat(found[4] >= 0).as("Netty counts").isEqualTo(isCounted);
    assertThat(found[0]).as("unpooled").isEqualTo(DirectMemoryProbe.UNPOOLED_BYTES);
    assertThat(found[2]).as("pooled").isEqualTo(DirectMemoryProbe.CHUNK_BYTES + adaptive);
    long all = found[0] + found[2];
    assertThat(found[1]).as("in the JVM's account").isEqualTo(isInJvm ? all : 0);
    assertThat(found[5]).as("increase of the JVM's count").isCloseTo(found[1], within(200_000L));
  }

  @Test
  void theRemainderOfNettysCountIsUnpooled() {
    assertThat(HostDirectMemory.of(1_000, 500, 200, 250, false))
        .isEqualTo(new DirectMemory(300, 0, 200));
  }

  @Test
  void unpooledBuffersWithACleanerAreOnlyReported() {
    assertThat(HostDirectMemory.of(700, 500, 200, 250, false))
        .isEqualTo(new DirectMemory(250, 250, 200));
  }

  @Test
  void thePoolIsInTheJvmsAccountLikeNettysChunks() {
    assertThat(HostDirectMemory.of(-1, 500, 200, 250, true))
        .isEqualTo(new DirectMemory(250, 950, 200));
    assertThat(HostDirectMemory.of(1_000, 500, 200, 250, true))
        .isEqualTo(new DirectMemory(300, 1_000, 200));
  }

  @Test
  void withoutAnyCountTheAllocatorsReportIsUsed() {
    assertThat(HostDirectMemory.of(-1, 500, 200, 250, false))
        .isEqualTo(new DirectMemory(250, 0, 200));
  }

  /** The values can change while they are read one after the other. */
  @Test
  void noPartIsNegative() {
    assertThat(HostDirectMemory.of(100, 500, 200, 0, false).unpooledBytes()).isZero();
    assertThat(HostDirectMemory.of(-1, 0, 0, 0, true)).isEqualTo(DirectMemory.NONE);
  }
}
