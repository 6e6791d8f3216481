/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import dev.cistern.buffer.ByteBuf;
import dev.cistern.buffer.ByteBufUtil;
import dev.cistern.buffer.PooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes strings of several languages as UTF-8 to the start of a buffer, and reads them from there,
 * with Cistern and with Netty. {@link TextBenchmark} has a string that is nearly ASCII.
 *
 * <p>A text is one repeated string, or many different strings in turn. With one string, the branch
 * predictor of the processor learns the word boundaries.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Utf8Benchmark {
  private static final long SEED = 0x5EEDL;

  /** The number of strings that is too large for the branch predictor to learn. */
  private static final int MANY = 2048;

  /** The text to write. */
  public enum Text {
    /** Words with two bytes per character, and spaces. */
    CYRILLIC(
        "\u0412\u0441\u0435 \u043b\u044e\u0434\u0438 \u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f"
            + " \u0441\u0432\u043e\u0431\u043e\u0434\u043d\u044b\u043c\u0438 \u0438"
            + " \u0440\u0430\u0432\u043d\u044b\u043c\u0438, "),
    /** Characters and some punctuation, all with three bytes. */
    CHINESE(
        "\u4eba\u4eba\u751f\u800c\u81ea\u7531\uff0c\u5728\u5c0a\u4e25\u548c\u6743\u5229\u4e0a"
            + "\u4e00\u5f8b\u5e73\u7b49\u3002"),
    /** ASCII words, each fourth followed by a surrogate pair. */
    EMOJI("so glad to see \ud83d\ude00 and you all again \ud83c\udf89 "),
    /** Words of random letters, one to eleven long, separated by ASCII. */
    MANY_CYRILLIC(0x430, 0x450, 0, 0, 0),
    /** Runs of random characters, one to eleven long, separated by ASCII. */
    MANY_CHINESE(0x4E00, 0x9FA6, 0, 0, 0),
    /** ASCII words, one in four followed by a surrogate pair. */
    MANY_EMOJI('a', 'z' + 1, 4, 0x1F600, 0x1F640),
    /** ASCII words, one in four followed by a character of three bytes. */
    MANY_NEARLY_ASCII('a', 'z' + 1, 4, 0x20A0, 0x20C0);

    private final String phrase;
    private final int firstLetter;
    private final int endOfLetters;
    private final int wordsForOther;
    private final int firstOther;
    private final int endOfOthers;

    Text(String phrase) {
      this.phrase = phrase;
      firstLetter = endOfLetters = wordsForOther = firstOther = endOfOthers = 0;
    }

    Text(int firstLetter, int endOfLetters, int wordsForOther, int firstOther, int endOfOthers) {
      phrase = "";
      this.firstLetter = firstLetter;
      this.endOfLetters = endOfLetters;
      this.wordsForOther = wordsForOther;
      this.firstOther = firstOther;
      this.endOfOthers = endOfOthers;
    }

    /**
     * Returns one string of that length, or many strings of half to one and a half times that
     * length.
     */
    private String[] ofLength(int chars) {
      if (!phrase.isEmpty()) {
        return new String[] {phrase.repeat(chars / phrase.length() + 1).substring(0, chars)};
      }
      SplittableRandom random = new SplittableRandom(SEED);
      String[] many = new String[MANY];
      for (int i = 0; i < MANY; i++) {
        many[i] = words(random, random.nextInt(chars - chars / 2, chars + chars / 2 + 1));
      }
      return many;
    }

    private String words(SplittableRandom random, int chars) {
      StringBuilder text = new StringBuilder();
      while (text.length() < chars) {
        for (int letters = random.nextInt(6) + random.nextInt(6); letters >= 0; letters--) {
          text.append((char) random.nextInt(firstLetter, endOfLetters));
        }
        if (wordsForOther > 0 && random.nextInt(wordsForOther) == 0) {
          text.appendCodePoint(random.nextInt(firstOther, endOfOthers));
        }
        text.append(random.nextInt(6) == 0 ? ", " : " ");
      }
      text.setLength(chars);
      return text.toString();
    }
  }

  /** The kind of memory that holds the bytes. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** The text to use. */
  @Param public Text text;

  /** The length of the text. */
  @Param("74")
  public int chars;

  private String[] strings;
  private int[] indices;
  private int[] lengths;
  private int next;
  private ByteBuf ours;
  private ByteBuf ourText;
  private io.netty.buffer.ByteBuf theirs;
  private io.netty.buffer.ByteBuf theirText;

  /** Creates the texts and the buffers of both libraries. */
  @Setup
  public void setUp() {
    strings = text.ofLength(chars);
    indices = new int[strings.length];
    lengths = new int[strings.length];
    int most = 2 * chars * ByteBufUtil.utf8MaxBytes(1);
    int all = strings.length * most;
    boolean direct = memory.equals("DIRECT");
    PooledByteBufAllocator our = PooledByteBufAllocator.DEFAULT;
    ours = direct ? our.directBuffer(most) : our.heapBuffer(most);
    ourText = direct ? our.directBuffer(all) : our.heapBuffer(all);
    io.netty.buffer.PooledByteBufAllocator their = io.netty.buffer.PooledByteBufAllocator.DEFAULT;
    theirs = direct ? their.directBuffer(most) : their.heapBuffer(most);
    theirText = direct ? their.directBuffer(all) : their.heapBuffer(all);
    for (int i = 0; i < strings.length; i++) {
      indices[i] = ourText.writerIndex();
      lengths[i] = ourText.writeCharSequence(strings[i], StandardCharsets.UTF_8);
      theirText.writeCharSequence(strings[i], StandardCharsets.UTF_8);
    }
  }

  /** Releases the buffers. */
  @TearDown
  public void tearDown() {
    ours.release();
    ourText.release();
    theirs.release();
    theirText.release();
  }

  /** Returns the index of the next string. */
  private int turn() {
    return next++ & strings.length - 1;
  }

  /** Writes a string as UTF-8. */
  @Benchmark
  public int writeOurs() {
    return ByteBufUtil.writeUtf8(ours.clear(), strings[turn()]);
  }

  /** Does the same as {@link #writeOurs} with Netty. */
  @Benchmark
  public int writeNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), strings[turn()]);
  }

  /** Reads the bytes of a string. */
  @Benchmark
  public String toStringOurs() {
    int turn = turn();
    return ourText.toString(indices[turn], lengths[turn], StandardCharsets.UTF_8);
  }

  /** Does the same as {@link #toStringOurs} with Netty. */
  @Benchmark
  public String toStringNetty() {
    int turn = turn();
    return theirText.toString(indices[turn], lengths[turn], StandardCharsets.UTF_8);
  }
}
