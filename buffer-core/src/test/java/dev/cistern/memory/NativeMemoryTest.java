/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.cistern.fixture.OwnJvm;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of blocks of native memory, for each way that a JVM permits. */
@Tag("A12")
class NativeMemoryTest {
  private static final String OPENED = "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED";
  private static final String GRANTED = "--enable-native-access=ALL-UNNAMED";
  private static final String NO_OPTION = "-Da=b";
  private static final int MIB = 1 << 20;

  @Test
  void aBlockIsAViewOfItsOwnMemory() {
    assertThat(NioMemory.canWrap()).isTrue();
    NativeMemory.Block first = NativeMemory.allocate(100, 0);
    NativeMemory.Block second = NativeMemory.allocate(100, 0);
    ByteBuffer view = first.view();
    assertThat(view.isDirect()).isTrue();
    assertThat(view.remaining()).isEqualTo(100).isEqualTo((int) first.bytes());
    for (int i = 0; i < 100; i++) {
      view.put(i, (byte) i);
      second.view().put(i, (byte) -i);
    }
    assertThat(view.get(99)).isEqualTo((byte) 99);
    assertThat(second.view().get(99)).isEqualTo((byte) -99);
    first.free();
    second.free();
  }

  @Test
  void refusesASizeOfZeroOrLess() {
    assertThatThrownBy(() -> NativeMemory.allocate(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bytes: 0 (expected: > 0)");
  }

  /**
   * Program that checks, in a JVM that permits one way, that memory is zero, untouched, and
   * returned.
   */
  public static final class OneWay {
    private static final int BLOCKS = 64;
    private static final int BYTES = 4 * MIB;

    private OneWay() {}

    public static void main(String[] arguments) throws IOException {
      soil();
      StringBuilder problems = new StringBuilder();
      long before = residentMib();
      for (int cycle = 0; cycle < 3; cycle++) {
        List<NativeMemory.Block> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
          NativeMemory.Block block = NativeMemory.allocate(BYTES + i, i % 2 == 0 ? 0 : MIB);
          if (block.address() % (i % 2 == 0 ? 1 : MIB) != 0) {
            problems.append("not aligned;");
          }
          blocks.add(block);
        }
        check(problems, "untouched", residentMib() - before, 0, 16);
        for (NativeMemory.Block block : blocks) {
          long resident = PageMap.residentBytes(block.address(), block.bytes());
          if (resident > 2 * MemoryAccess.PAGE_BYTES && problems.length() < 200) {
            problems.append(resident).append(" bytes of a new block are resident;");
          }
          for (long at = 0; at <= block.bytes() - 8; at += 8) {
            if (MemoryAccess.getLong(null, block.address() + at) != 0) {
              problems.append("foreign bytes at ").append(at).append(';');
              break;
            }
          }
          MemoryAccess.fill(null, block.address(), block.bytes(), (byte) 1);
          if (PageMap.residentBytes(block.address(), block.bytes()) != block.bytes()) {
            problems.append("a used block is not resident;");
          }
        }
        check(problems, "used", residentMib() - before, 250, 280);
        blocks.forEach(NativeMemory.Block::free);
        if (NativeMemory.way() != MemoryWay.MALLOC) {
          check(problems, "freed", residentMib() - before, -16, 16);
        }
      }
      System.out.print(NativeMemory.way().label() + ' ' + problems);
    }

    /** Makes the C library keep memory that contains bytes other than zero. */
    private static void soil() {
      for (int bytes : new int[] {31 * MIB, 5 * MIB, 5 * MIB}) {
        long address = MemoryAccess.allocate(bytes);
        MemoryAccess.fill(null, address, bytes, (byte) -1);
        MemoryAccess.free(address);
      }
    }

    private static void check(StringBuilder problems, String what, long mib, int least, int most) {
      if (mib < least || mib > most) {
        problems.append(what).append(": ").append(mib).append(" MiB resident;");
      }
    }

    private static long residentMib() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
        }
      }
      throw new IOException("no VmRSS");
    }
  }

  static Stream<Arguments> permissions() {
    int jdk = Runtime.version().feature();
    return Stream.of(
        Arguments.of(OPENED, "mmap_jdk"),
        Arguments.of(GRANTED, jdk >= 22 ? "mmap_linker" : "malloc_mmap"),
        Arguments.of(NO_OPTION, "malloc_mmap"));
  }

  @ParameterizedTest
  @MethodSource("permissions")
  void eachWayReturnsItsMemoryAndShowsNoForeignBytes(String option, String way) throws Exception {
    assumeThat(Platform.IS_LINUX).isTrue();
    OwnJvm jvm = OwnJvm.of(OneWay.class).with("-XX:+IgnoreUnrecognizedVMOptions");
    assertThat((jdkKnows(option) ? jvm.with(option) : jvm).lastLine()).isEqualTo(way + ' ');
  }

  private static boolean jdkKnows(String option) {
    return !option.equals(GRANTED) || Runtime.version().feature() >= 22;
  }

  /** Program of a separate JVM that allocates as many blocks as the limit permits, and more. */
  public static final class Many {
    private Many() {}

    public static void main(String[] arguments) throws IOException {
      int most = (int) (Platform.maxMapCount() / 4);
      List<NativeMemory.Block> blocks = new ArrayList<>();
      for (int i = 0; i < most + 100; i++) {
        blocks.add(NativeMemory.allocate(128 << 10, 0));
      }
      long mapped = blocks.stream().filter(block -> block.way().isMapped()).count();
      long lines;
      try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        lines = maps.filter(line -> line.endsWith("/dev/zero")).count();
      }
      blocks.forEach(NativeMemory.Block::free);
      boolean mapsAgain = NativeMemory.allocate(128 << 10, 0).way().isMapped();
      System.out.print((mapped == most) + " " + (lines <= most) + " " + mapsAgain);
    }
  }

  /** Program of a separate JVM that frees blocks while the Java heap is full. */
  public static final class FullHeap {
    private FullHeap() {}

    public static void main(String[] arguments) {
      NativeMemory.Block[] blocks = new NativeMemory.Block[400];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = NativeMemory.allocate(MIB, 0);
      }
      Object[] fill = null;
      for (int bytes = 16 << 20; bytes >= 16; bytes /= 2) {
        try {
          while (true) {
            Object[] more = {fill, new byte[bytes]};
            fill = more;
          }
        } catch (OutOfMemoryError smaller) {
          // continues with the next size
        }
      }
      int failures = 0;
      for (NativeMemory.Block block : blocks) {
        try {
          block.free();
        } catch (OutOfMemoryError lost) {
          failures++;
        }
      }
      int filled = fill == null ? 0 : 1;
      fill = null;
      System.out.print(filled + " " + failures);
    }
  }

  @ParameterizedTest
  @MethodSource("permissions")
  void aFullHeapKeepsNoBlock(String option, String way) throws Exception {
    assumeThat(Platform.IS_LINUX).isTrue();
    OwnJvm jvm = OwnJvm.of(FullHeap.class).with("-Xlog:disable");
    assertThat((jdkKnows(option) ? jvm.with(option) : jvm).lastLine()).as(way).isEqualTo("1 0");
  }

  /** Tests that one call reads the whole file: kernel files in /proc/sys require that. */
  @Test
  void theLimitsOfTheKernelAreReadWhole() throws Exception {
    assumeThat(Platform.IS_LINUX).isTrue();
    String output = Tool.run(new ProcessBuilder("cat", "/proc/sys/vm/max_map_count"), 10).printed();
    assertThat(Platform.maxMapCount()).isEqualTo(Long.parseLong(output.trim()));
  }

  @Test
  void aQuarterOfTheMappingsIsTheLimit() throws Exception {
    assumeThat(Platform.maxMapCount()).isLessThan(1 << 20);
    assertThat(OwnJvm.of(Many.class).with(OPENED).lastLine()).isEqualTo("true true true");
  }
}
