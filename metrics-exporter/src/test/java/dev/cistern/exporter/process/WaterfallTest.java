/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.exporter.report.MemoryReport.PartBytes;
import dev.cistern.exporter.report.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts add up to the resident memory. */
class WaterfallTest {
  private static final long MIB = 1L << 20;

  private static final AddressSpace SPACE =
      new AddressSpace(
          100 * MIB, 10 * MIB, 4 * MIB, 40, 20 * MIB, 30 * MIB, 50 * MIB, 8, 200 * MIB);

  private static final JavaBeans.Figures BEANS =
      new JavaBeans.Figures(
          80 * MIB, 120 * MIB, 256 * MIB, 40 * MIB, 60 * MIB, 9, 30 * MIB, 40, 5, 1, true, true);

  private static final Waterfall.Buffers BUFFERS =
      new Waterfall.Buffers(30 * MIB, 5 * MIB, 7 * MIB, 20 * MIB, 3 * MIB, 42 * MIB);

  private static long bytes(List<PartBytes> parts, Part part) {
    return parts.stream()
        .filter(each -> each.part() == part)
        .mapToLong(PartBytes::bytes)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void withoutTrackingTheJvmHasItsLibrariesAndTheRemainderIsNative() {
    List<PartBytes> parts = Waterfall.of(416 * MIB, SPACE, BEANS, BUFFERS, null);
    assertThat(parts.stream().mapToLong(PartBytes::bytes).sum()).isEqualTo(416 * MIB);
    assertThat(bytes(parts, Part.JAVA_HEAP)).isEqualTo(100 * MIB);
    assertThat(bytes(parts, Part.POOL_PINNED)).isEqualTo(30 * MIB);
    assertThat(bytes(parts, Part.JDK_DIRECT)).isEqualTo(18 * MIB);
    assertThat(bytes(parts, Part.JVM)).isEqualTo(20 * MIB);
    // 250 MiB of anonymous memory without pools, other direct buffers and metaspace
    assertThat(bytes(parts, Part.NATIVE)).isEqualTo((250 - 65 - 18 - 40) * MIB);
    assertThat(bytes(parts, Part.REST)).isEqualTo(2 * MIB);
  }

  @Test
  void trackingMovesMemoryFromNativeToTheJvm() {
    NativeTracking tracking = new NativeTracking(12 * MIB, 30 * MIB);
    List<PartBytes> parts = Waterfall.of(414 * MIB, SPACE, BEANS, BUFFERS, tracking);
    assertThat(bytes(parts, Part.JVM)).isEqualTo(62 * MIB);
    assertThat(bytes(parts, Part.NATIVE)).isEqualTo((127 - 42) * MIB);
    assertThat(bytes(parts, Part.REST)).isZero();
  }

  @Test
  void aHeapThatWasNotFoundIsTakenFromTheOtherMemory() {
    AddressSpace space = new AddressSpace(-1, 0, 0, 0, 0, 0, 50 * MIB, 8, 300 * MIB);
    List<PartBytes> parts = Waterfall.of(350 * MIB, space, BEANS, BUFFERS, null);
    assertThat(bytes(parts, Part.JAVA_HEAP)).isEqualTo(120 * MIB);
    assertThat(bytes(parts, Part.REST)).isZero();
  }

  @Test
  void partsThatExceedTheirMappingsAreCut() {
    AddressSpace space = new AddressSpace(100 * MIB, 0, 0, 0, 0, 0, 0, 0, 40 * MIB);
    List<PartBytes> parts = Waterfall.of(140 * MIB, space, BEANS, BUFFERS, null);
    assertThat(parts.stream().mapToLong(PartBytes::bytes).sum()).isEqualTo(140 * MIB);
    assertThat(parts).allMatch(part -> part.bytes() >= 0);
  }
}
