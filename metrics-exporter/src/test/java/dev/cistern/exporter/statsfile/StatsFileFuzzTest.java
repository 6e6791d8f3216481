/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cistern.exporter.Fixtures;
import dev.cistern.exporter.report.HostReport;
import dev.cistern.exporter.report.HostView;
import dev.cistern.testing.TestLength;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files with random changes: the reader accepts each, or refuses it with a reason, at a low cost.
 */
class StatsFileFuzzTest {
  private static final int FILES = TestLength.choose(166_666, 1_000_000, 1_000_000);
  private static final int PARTS = 1_000;

  /** Number of accepted files of which the test shows one. */
  private static final int SHOWN = 256;

  /** Limit of the bytes that reading a file allocates: a factor of its size, plus {@link #BASE}. */
  private static final long FACTOR = 64;

  private static final long BASE = 128 << 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path directory;
  private final long seed = Long.getLong("cistern.fuzz.seed", new SplittableRandom().nextLong());
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong shown = new AtomicLong();
  private final AtomicLong exemplars = new AtomicLong();
  private final AtomicLong mostBytes = new AtomicLong();

  private List<byte[]> bases() throws IOException {
    List<byte[]> bases = new ArrayList<>();
    HostReport small = Fixtures.everything();
    bases.add(Images.tight(Images.of(directory, small, small)));
    for (int i = 0; bases.size() < 5; i++) {
      HostReport report = new RandomReports(i).next();
      byte[] image = Images.tight(Images.of(directory, report, report));
      if (image.length < 20_000) {
        bases.add(image);
      }
    }
    return bases;
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void changedFilesAreReadOrRefused() throws IOException {
    System.out.println("seed: -Dcistern.fuzz.seed=" + seed);
    List<byte[]> bases = bases();
    for (byte[] base : bases) {
      assertThat(new StatsFileReader().read(base).report()).isNotNull();
    }
    long start = System.nanoTime();
    IntStream.range(0, PARTS).parallel().forEach(part -> runPart(bases, part));
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%,d files in %.1f s, %,d of them read, %,d shown; at most %,d bytes for one%n",
        FILES,
        seconds,
        read.get(),
        shown.get(),
        mostBytes.get());
    assertThat(read.get()).as("files that passed all checks").isBetween(FILES / 100L, FILES - 1L);
    assertThat(read.get() + refusals.get()).isEqualTo(FILES);
    assertThat(shown.get()).isPositive();
    assertThat(exemplars.get()).isPositive();
  }

  private void runPart(List<byte[]> bases, int part) {
    StatsFileReader reader = new StatsFileReader();
    for (int i = part; i < FILES; i += PARTS) {
      Mutator mutator = new Mutator(new SplittableRandom(seed + i), bases);
      byte[] file = mutator.next();
      try {
        read(reader, file, i);
      } catch (Throwable wrong) {
        throw new AssertionError("seed " + seed + ", file " + i + ": " + wrong, wrong);
      }
    }
  }

  private void read(StatsFileReader reader, byte[] file, int number) throws IOException {
    HostView report = null;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      report = reader.read(file).report();
      read.incrementAndGet();
    } catch (StatsFileException refused) {
      refusals.incrementAndGet();
    }
    checkMemory(THREADS.getCurrentThreadAllocatedBytes() - before, file.length);
    if (report != null && number % SHOWN == 0) {
      assertThat(Fixtures.metrics(report)).contains("cistern_up 1.0");
      exemplars.addAndGet(Exemplars.check(report));
      shown.incrementAndGet();
    }
  }

  private void checkMemory(long taken, int length) {
    mostBytes.accumulateAndGet(taken, Math::max);
    if (taken > FACTOR * length + BASE) {
      throw new AssertionError(taken + " bytes for " + length);
    }
  }

  /** Changes a file in one to four places, mostly with correct checksums. */
  private static final class Mutator {
    private static final long[] WORDS = {
      0,
      1,
      2,
      3,
      7,
      8,
      255,
      1 << 16,
      Integer.MAX_VALUE,
      1L << 31,
      1L << 32,
      1L << 61,
      -1,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      Long.MAX_VALUE - 7
    };

    private final SplittableRandom random;
    private final List<byte[]> bases;
    private byte[] file;

    Mutator(SplittableRandom random, List<byte[]> bases) {
      this.random = random;
      this.bases = bases;
      this.file = any().clone();
    }

    private byte[] any() {
      return bases.get(random.nextInt(bases.size()));
    }

    byte[] next() {
      int changes = 1 + random.nextInt(4);
      for (int i = 0; i < changes; i++) {
        change();
      }
      if (random.nextInt(8) > 0) {
        Images.seal(file);
      }
      return file;
    }

    private void change() {
      switch (random.nextInt(8)) {
        case 0 -> file[place()] ^= (byte) (1 << random.nextInt(8));
        case 1 -> file[place()] = (byte) random.nextInt();
        case 2, 3 -> Images.put(file, word(), WORDS[random.nextInt(WORDS.length)]);
        case 4 -> add(word(), random.nextInt(-9, 10));
        case 5 -> Images.put(file, word(), Layout.get(file, word()));
        case 6 -> splice(any());
        default -> resize();
      }
    }

    /** Returns a place that is mostly in the frames, because they contain the lengths. */
    private int place() {
      int frames = Math.min(Layout.HEADER_BYTES, file.length - 2 * Layout.WORD);
      return random.nextInt(16) == 0
          ? random.nextInt(frames)
          : frames + random.nextInt(file.length - frames);
    }

    private int word() {
      return Math.min(place(), file.length - Layout.WORD) & -Layout.WORD;
    }

    private void add(int at, int much) {
      Images.put(file, at, Layout.get(file, at) + much);
    }

    private void splice(byte[] from) {
      int at = word();
      int source = random.nextInt(from.length - Layout.WORD) & -Layout.WORD;
      int most = Math.min(file.length - at, from.length - source);
      System.arraycopy(from, source, file, at, random.nextInt(Math.min(most, 512) + 1));
    }

    private void resize() {
      int bytes = Math.max(Layout.HEADER_BYTES, file.length + random.nextInt(-600, 100));
      file = random.nextBoolean() ? Images.resized(file, bytes) : Arrays.copyOf(file, bytes);
    }
  }
}
