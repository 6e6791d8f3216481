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
 * Strings of several languages written in UTF-8 from the start of a buffer, and read from it: ours
 * against Netty's (seed row I2). {@link TextBenchmark} has one that is nearly ASCII.
 *
 * <p>One string again and again, or many in turn: the processor learns by heart where the words of
 * one string end.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class Utf8Benchmark {
  private static final long SEED = 0x5EEDL;

  /** So many that the branches of their characters are not learned by heart. */
  private static final int MANY = 2048;

  /** What is said. */
  public enum Text {
    /** Words of two bytes a character, and spaces. */
    CYRILLIC(
        "\u0412\u0441\u0435 \u043b\u044e\u0434\u0438 \u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f"
            + " \u0441\u0432\u043e\u0431\u043e\u0434\u043d\u044b\u043c\u0438 \u0438"
            + " \u0440\u0430\u0432\u043d\u044b\u043c\u0438, "),
    /** Three bytes a character, some punctuation of as many. */
    CHINESE(
        "\u4eba\u4eba\u751f\u800c\u81ea\u7531\uff0c\u5728\u5c0a\u4e25\u548c\u6743\u5229\u4e0a"
            + "\u4e00\u5f8b\u5e73\u7b49\u3002"),
    /** ASCII words, each fourth followed by a surrogate pair. */
    EMOJI("so glad to see \ud83d\ude00 and you all again \ud83c\udf89 "),
    /** Words of any letters, one to eleven, and ASCII between them. */
    MANY_CYRILLIC(0x430, 0x450, 0, 0, 0),
    /** Runs of any characters, one to eleven, and ASCII between them. */
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

    /** One of that length, or many of half to one and a half times that. */
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

  /** Where the bytes are. */
  @Param({"DIRECT", "HEAP"})
  public String memory;

  /** Which text. */
  @Param public Text text;

  /** How long it is. */
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

  /** Makes the texts and the buffers of both sides. */
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

  /** Of the string whose turn it is. */
  private int turn() {
    return next++ & strings.length - 1;
  }

  /** A string in UTF-8. */
  @Benchmark
  public int writeOurs() {
    return ByteBufUtil.writeUtf8(ours.clear(), strings[turn()]);
  }

  /** A string in UTF-8. */
  @Benchmark
  public int writeNetty() {
    return io.netty.buffer.ByteBufUtil.writeUtf8(theirs.clear(), strings[turn()]);
  }

  /** The bytes of a string as one. */
  @Benchmark
  public String toStringOurs() {
    int turn = turn();
    return ourText.toString(indices[turn], lengths[turn], StandardCharsets.UTF_8);
  }

  /** The bytes of a string as one. */
  @Benchmark
  public String toStringNetty() {
    int turn = turn();
    return theirText.toString(indices[turn], lengths[turn], StandardCharsets.UTF_8);
  }
}
