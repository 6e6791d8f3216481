/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The search finds the Java heap among other large reservations. The layouts are those of real
 * JVMs.
 */
class HeapSearchTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private static void assertHeap(String maps, long size, long start, long end) {
    HeapSearch.Range heap = HeapSearch.find(mappings(maps), new HeapSize(size, 50 * MIB));
    assertThat(heap).isNotNull();
    assertThat(Long.toHexString(heap.start())).isEqualTo(Long.toHexString(start));
    assertThat(Long.toHexString(heap.end())).isEqualTo(Long.toHexString(end));
  }

  private static List<Mapping> mappings(String maps) {
    return maps.lines().map(line -> Objects.requireNonNull(Mapping.parse(line))).toList();
  }

  @Test
  void aHeapAbove32GibIsTheReservationOfItsSize() {
    // a larger reservation of the application is below the heap of 40 GiB
    assertHeap(
        """
        7f0000000000-7f0040000000 rw-p 00000000 00:00 0
        7f0040000000-7f1900000000 ---p 00000000 00:00 0
        7fb9c4000000-7fb9dc000000 rw-p 00000000 00:00 0
        7fb9dc000000-7fc3c4000000 ---p 00000000 00:00 0
        """,
        40 * GIB,
        0x7fb9c4000000L,
        0x7fc3c4000000L);
  }

  @Test
  void tablesOfTheCollectorBesideTheHeapAreNotPartOfIt() {
    // G1 of JDK 17 with a heap of 40 GiB, without some of the tables
    assertHeap(
        """
        7fb965000000-7fb965600000 rw-p 00000000 00:00 0
        7fb965600000-7fb98d000000 ---p 00000000 00:00 0
        7fb98d000000-7fb98d600000 rw-p 00000000 00:00 0
        7fb98d600000-7fb9c4000000 ---p 00000000 00:00 0
        7fb9c4000000-7fb9dc000000 rw-p 00000000 00:00 0
        7fb9dc000000-7fc3c4000000 ---p 00000000 00:00 0
        """,
        40 * GIB,
        0x7fb9c4000000L,
        0x7fc3c4000000L);
  }

  @Test
  void aReportedLimitThatIsSmallerThanTheReservationDoes() {
    // the parallel collector reports 35.6 of 40 GiB
    assertHeap(
        """
        7f7bc7a00000-7f7c1ca00000 rw-p 00000000 00:00 0
        7f7c293ff000-7f7c39000000 rw-p 00000000 00:00 0
        7f7c39000000-7f82d3f00000 ---p 00000000 00:00 0
        7f82d3f00000-7f82dbd00000 rw-p 00000000 00:00 0
        7f82dbd00000-7f8629400000 ---p 00000000 00:00 0
        """,
        38_177_603_584L,
        0x7f7c293ff000L,
        0x7f8629400000L);
  }

  @Test
  void aClassSpaceOfTheSameSizeBelowTheHeapIsNotTheHeap() {
    // G1 of JDK 25 with a heap of 1 GiB: archived objects are at its end
    assertHeap(
        """
        72001000-72d95000 rw-p 00001000 fe:00 315633 /opt/jdk/lib/server/classes.jsa
        72d95000-73000000 ---p 00000000 00:00 0
        73000000-73030000 rw-p 00000000 00:00 0
        73030000-73040000 ---p 00000000 00:00 0
        73040000-73160000 rw-p 00000000 00:00 0
        73160000-b3000000 ---p 00000000 00:00 0
        c0000000-d7a00000 rw-p 00000000 00:00 0
        d7a00000-ffe00000 ---p 00000000 00:00 0
        ffe00000-fff24000 rw-p 00dc9000 fe:00 315633 /opt/jdk/lib/server/classes.jsa
        fff24000-100000000 rw-p 00000000 00:00 0
        """,
        GIB,
        0xc0000000L,
        0xffe00000L);
  }

  @Test
  void aClassSpaceDirectlyAboveTheHeapIsNotPartOfIt() {
    // JDK 17 without an archive of classes
    assertHeap(
        """
        c0000000-d7a00000 rw-p 00000000 00:00 0
        d7a00000-100000000 ---p 00000000 00:00 0
        100000000-100020000 rw-p 00000000 00:00 0
        100020000-1001d0000 rw-p 00000000 00:00 0
        1001d0000-140000000 ---p 00000000 00:00 0
        """,
        GIB,
        0xc0000000L,
        0x100000000L);
  }

  @Test
  void anUnusedReservationIsNotTheHeap() {
    // JDK 25 without compressed references: the class space below 32 GiB has the size of the heap
    assertHeap(
        """
        27000000-67000000 ---p 00000000 00:00 0
        7f0441000000-7f0444000000 rw-p 00000000 00:00 0
        7f0444000000-7f0481000000 ---p 00000000 00:00 0
        """,
        GIB,
        0x7f0441000000L,
        0x7f0481000000L);
  }

  @Test
  void aHeapOf31GibCanBeAbove32Gib() {
    assertHeap(
        """
        7d220000-bd000000 ---p 00000000 00:00 0
        1000200000-1010200000 rw-p 00000000 00:00 0
        1010200000-17c0200000 ---p 00000000 00:00 0
        """,
        31 * GIB,
        0x1000200000L,
        0x17c0200000L);
  }

  @Test
  void aSmallHeapIsTheOneBelow32Gib() {
    // an arena of malloc has exactly the size of the heap
    assertHeap(
        """
        fc000000-fd000000 rw-p 00000000 00:00 0
        fd000000-ffe00000 ---p 00000000 00:00 0
        7fe2f0000000-7fe2f3000000 rw-p 00000000 00:00 0
        7fe2f3000000-7fe2f4000000 ---p 00000000 00:00 0
        """,
        GIB / 16,
        0xfc000000L,
        0xffe00000L);
  }

  @Test
  void aHeapInSharedMemoryIsNoRange() {
    String heap = "40000000000-40017a00000 rw-s 00000000 00:01 1025 /memfd:java_heap (deleted)\n";
    String other = "7f0000000000-7f0080000000 rw-p 00000000 00:00 0\n";
    assertThat(HeapSearch.find(mappings(other), new HeapSize(2 * GIB, 0))).isNotNull();
    assertThat(HeapSearch.find(mappings(heap + other), new HeapSize(2 * GIB, 0))).isNull();
  }
}
