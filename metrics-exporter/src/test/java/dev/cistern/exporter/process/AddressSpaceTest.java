/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import dev.cistern.memory.MemoryAccess;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/** Mappings of this process and of test data have the right kinds. */
class AddressSpaceTest {
  private static final long MIB = 1L << 20;
  private static final File PAGEMAP = new File("/proc/self/pagemap");

  @Test
  void linesAreParsedAndMalformedOnesLeftOut() {
    Mapping mapping =
        Mapping.parse(
            "7f1200000000-7f1200021000 rw-p 00000000 fe:01 1234                   /tmp/a file");
    assertThat(mapping).isNotNull();
    assertThat(mapping.bytes()).isEqualTo(0x21000);
    assertThat(mapping.path()).isEqualTo("/tmp/a file");
    assertThat(Mapping.parse("7f12-7f13 ---p 00000000 00:00 0 ").isAnonymous()).isTrue();
    assertThat(Mapping.parse("nonsense")).isNull();
    assertThat(Mapping.parse("xyz-123 rw-p 0 0 0")).isNull();
    // the last page of the kernel
    assertThat(Mapping.parse("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]"))
        .isNotNull();
  }

  @Test
  void thePageSizeIsThatOfTheKernel(@TempDir Path folder) throws IOException {
    assertThat(PageSize.BYTES).isEqualTo(MemoryAccess.PAGE_BYTES);
    ByteBuffer pairs = ByteBuffer.allocate(48).order(ByteOrder.nativeOrder());
    pairs.putLong(16).putLong(4242).putLong(6).putLong(65_536).putLong(0).putLong(0);
    Path file = Files.write(folder.resolve("auxv"), pairs.array());
    assertThat(PageSize.read(file.toFile())).isEqualTo(65_536);
    assertThat(PageSize.read(folder.resolve("none").toFile())).isEqualTo(4096);
  }

  @Test
  void hugePagesAreReadFromTheStatus(@TempDir Path folder) throws IOException {
    Path status = folder.resolve("status");
    Files.writeString(status, "VmRSS:\t  164120 kB\nHugetlbPages:\t 2097152 kB\nThreads:\t9\n");
    assertThat(ResidentSize.hugeBytes(status.toFile())).isEqualTo(2L << 30);
    Files.writeString(status, "VmRSS:\t  164120 kB\n");
    assertThat(ResidentSize.hugeBytes(status.toFile())).isZero();
    assertThat(ResidentSize.hugeBytes(folder.resolve("none").toFile())).isZero();
  }

  @Test
  @EnabledOnOs(LINUX)
  void thisProcessHasAHeapCodeAndStacks() throws IOException {
    List<Mapping> mappings = AddressSpace.mappings(new File("/proc/self/maps"));
    AddressSpace whole;
    AddressSpace sampled;
    try (ResidentPages pages = ResidentPages.open(PAGEMAP, false)) {
      whole = AddressSpace.of(mappings, pages, HeapSize.read());
    }
    try (ResidentPages pages = ResidentPages.open(PAGEMAP, true)) {
      sampled = AddressSpace.of(mappings, pages, HeapSize.read());
    }
    assertThat(whole.heapBytes()).isPositive();
    assertThat(whole.heapBytes()).isLessThanOrEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(whole.codeBytes()).isPositive();
    assertThat(whole.libraryBytes()).isGreaterThan(MIB);
    assertThat(whole.stacks()).isGreaterThan(Thread.activeCount());
    assertThat((double) sampled.heapBytes())
        .isBetween(0.6 * whole.heapBytes(), 1.4 * whole.heapBytes() + 16 * MIB);
  }

  @Test
  @EnabledOnOs(LINUX)
  void touchedDirectMemoryIsOtherMemoryAndItsPagesAreCounted() throws IOException {
    long before = other();
    List<ByteBuffer> held = new ArrayList<>();
    held.add(ByteBuffer.allocateDirect(64 << 20)); // the JVM writes zeros
    long after = other();
    assertThat(after - before).isBetween(60 * MIB, 72 * MIB);
    assertThat(held).hasSize(1);
  }

  private static long other() throws IOException {
    try (ResidentPages pages = ResidentPages.open(PAGEMAP, false)) {
      AddressSpace space =
          AddressSpace.of(
              AddressSpace.mappings(new File("/proc/self/maps")), pages, HeapSize.read());
      return space.otherBytes() + space.arenaBytes();
    }
  }

  @Test
  void hugePagesOfTheHeapAndOfCodeAreAnonymousMemory(@TempDir Path folder) throws IOException {
    AddressSpace space =
        measure(
            folder,
            64 * MIB,
            """
            10000000-14000000 rw-p 00000000 00:0f 77 /anon_hugepage (deleted)
            20000000-20200000 rwxp 00000000 00:0f 78 /anon_hugepage (deleted)
            30000000-30200000 r--p 00000000 fe:00 79 /srv/index
            """);
    assertThat(space.heapBytes()).isEqualTo(64 * MIB);
    assertThat(space.codeBytes()).isEqualTo(2 * MIB);
    assertThat(space.fileBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void aHeapInASharedFileOfMemoryIsFound(@TempDir Path folder) throws IOException {
    String small = "10000000-11000000 rw-s 00000000 00:01 1 /memfd:java_heap.hugetlb (deleted)\n";
    assertThat(measure(folder, 64 * MIB, small).heapBytes()).isEqualTo(16 * MIB);
    // other memory has the maximum size of the heap, but is not the heap
    AddressSpace space = measure(folder, 64 * MIB, small + "20000000-24000000 rw-p 0 00:00 0\n");
    assertThat(space.heapBytes()).isEqualTo(16 * MIB);
    assertThat(space.otherBytes() + space.arenaBytes()).isEqualTo(64 * MIB);
    assertThat(measure(folder, 64 * MIB, "").heapBytes()).isEqualTo(-1);
  }

  @Test
  void aLibraryThatWasReplacedIsALibrary(@TempDir Path folder) throws IOException {
    AddressSpace space =
        measure(
            folder,
            64 * MIB,
            """
            10000000-10100000 r-xp 00000000 fe:00 71 /usr/lib/libfoo.so (deleted)
            20000000-20100000 r--p 00000000 fe:00 72 /opt/jdk/lib/modules (deleted)
            30000000-30200000 r--p 00000000 fe:00 73 /srv/index (deleted)
            """);
    assertThat(space.libraryBytes()).isEqualTo(2 * MIB);
    assertThat(space.fileBytes()).isEqualTo(2 * MIB);
  }

  /** Measures test mappings below 1 GiB, of which all pages are resident. */
  private static AddressSpace measure(Path folder, long heapBytes, String maps) throws IOException {
    File lines = Files.writeString(folder.resolve("maps"), maps).toFile();
    byte[] present = new byte[(int) ((1L << 30) / PageSize.BYTES) * Long.BYTES];
    Arrays.fill(present, (byte) 0x80);
    File pagemap = Files.write(folder.resolve("pagemap"), present).toFile();
    try (ResidentPages pages = ResidentPages.open(pagemap, false)) {
      return AddressSpace.of(AddressSpace.mappings(lines), pages, new HeapSize(heapBytes, 0));
    }
  }

  @Test
  void nativeTrackingIsParsed() {
    NativeTracking tracking =
        NativeTracking.parse(
            """
            Native Memory Tracking:

            Total: reserved=5683KB, committed=431KB
            -                 Java Heap (reserved=4096KB, committed=256KB)
                                        (mmap: reserved=4096KB, committed=256KB)

            -                        GC (reserved=300KB, committed=90KB)
                                        (malloc=30KB #2000)
                                        (mmap: reserved=270KB, committed=60KB)

            -                  Compiler (reserved=20KB, committed=20KB)
                                        (malloc=8KB #90)
                                        (arena=12KB #5)

            -                     Other (reserved=7KB, committed=7KB)
                                        (malloc=7KB #2)
            """);
    assertThat(tracking).isEqualTo(new NativeTracking(50 << 10, 60 << 10));
    assertThat(NativeTracking.parse("Native memory tracking is not enabled")).isNull();
  }

  @Test
  void theLowestLimitOfTheGroupsCounts(@TempDir Path root) throws IOException {
    Path pod = Files.createDirectories(root.resolve("pod/container"));
    Files.writeString(root.resolve("pod/memory.max"), "1073741824\n");
    Files.writeString(root.resolve("pod/memory.current"), "600000000\n");
    Files.writeString(
        root.resolve("pod/memory.stat"), "anon 1\ninactive_file 50000000\nactive_file 10000000\n");
    Files.writeString(pod.resolve("memory.max"), "max\n");
    Path groups = Files.writeString(root.resolve("cgroup"), "0::/pod/container\n");
    assertThat(Cgroup.read(groups, root)).isEqualTo(new Cgroup(1_073_741_824, 540_000_000));
    Files.writeString(root.resolve("pod/memory.max"), "max\n");
    assertThat(Cgroup.read(groups, root)).isEqualTo(Cgroup.NONE);
    assertThat(Cgroup.read(root.resolve("none"), root)).isEqualTo(Cgroup.NONE);
  }
}
