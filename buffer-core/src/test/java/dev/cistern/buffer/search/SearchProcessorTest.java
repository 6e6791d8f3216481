/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.cistern.testing.TestLength;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the processors with a search at every position, and with Netty 4.1's processors. */
@Tag("D6")
class SearchProcessorTest {
  private static final int ROUNDS = TestLength.choose(2_000, 10_000, 200_000);

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns bytes of few values, including negative ones, so that needles occur and overlap. */
  private byte[] anyBytes(int least, int most) {
    byte[] bytes = new byte[random.nextInt(least, most + 1)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt(-1, 2);
    }
    return bytes;
  }

  private static boolean endsAt(byte[] haystack, int end, byte[] needle) {
    int start = end + 1 - needle.length;
    return start >= 0 && Arrays.equals(haystack, start, end + 1, needle, 0, needle.length);
  }

  private static List<Integer> ends(byte[] haystack, SearchProcessor processor) throws Exception {
    List<Integer> ends = new ArrayList<>();
    for (int i = 0; i < haystack.length; i++) {
      if (!processor.process(haystack[i])) {
        ends.add(i);
      }
    }
    return ends;
  }

  @Test
  void findsEveryOccurrenceOfOneNeedle() throws Exception {
    System.out.println("seed " + seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] needle = anyBytes(1, random.nextInt(8) == 0 ? 64 : 6);
      byte[] haystack = anyBytes(0, 80);
      if (haystack.length > needle.length) {
        int at = random.nextInt(haystack.length - needle.length);
        System.arraycopy(needle, 0, haystack, at, needle.length);
      }
      List<Integer> expected = new ArrayList<>();
      for (int end = 0; end < haystack.length; end++) {
        if (endsAt(haystack, end, needle)) {
          expected.add(end);
        }
      }
      for (SearchProcessorFactory factory :
          List.of(
              AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(needle),
              AbstractSearchProcessorFactory.newBitapSearchProcessorFactory(needle),
              AbstractMultiSearchProcessorFactory.newAhoCorasicSearchProcessorFactory(needle))) {
        SearchProcessor processor = factory.newSearchProcessor();
        String as = "seed " + seed + ", round " + round + ", " + factory.getClass();
        assertThat(ends(haystack, processor)).as(as).isEqualTo(expected);
        processor.reset();
        assertThat(ends(haystack, processor)).as(as + ", again").isEqualTo(expected);
      }
    }
  }

  @Test
  void findsTheLongestOfSeveralNeedlesAsNettyDoes() throws Exception {
    System.out.println("seed " + seed);
    for (int round = 0; round < ROUNDS; round++) {
      byte[][] needles = new byte[random.nextInt(6)][];
      Arrays.setAll(needles, i -> anyBytes(1, 5));
      MultiSearchProcessor ours =
          AbstractMultiSearchProcessorFactory.newAhoCorasicSearchProcessorFactory(needles)
              .newSearchProcessor();
      io.netty.buffer.search.MultiSearchProcessor theirs =
          io.netty.buffer.search.AbstractMultiSearchProcessorFactory
              .newAhoCorasicSearchProcessorFactory(needles)
              .newSearchProcessor();
      byte[] haystack = anyBytes(0, 60);
      for (int i = 0; i < haystack.length; i++) {
        String as = "seed " + seed + ", round " + round + ", byte " + i;
        boolean goesOn = ours.process(haystack[i]);
        assertThat(goesOn).as(as).isEqualTo(theirs.process(haystack[i]));
        assertThat(ours.getFoundNeedleId()).as(as).isEqualTo(theirs.getFoundNeedleId());
        assertThat(goesOn).as(as).isEqualTo(longest(haystack, i, needles) < 0);
        if (!goesOn) {
          assertThat(needles[ours.getFoundNeedleId()])
              .as(as)
              .isEqualTo(needles[longest(haystack, i, needles)]);
        }
      }
    }
  }

  private static int longest(byte[] haystack, int end, byte[][] needles) {
    int longest = -1;
    for (int id = 0; id < needles.length; id++) {
      if (endsAt(haystack, end, needles[id])
          && (longest < 0 || needles[id].length >= needles[longest].length)) {
        longest = id;
      }
    }
    return longest;
  }

  @Test
  void processorsOfOneFactoryDoNotDisturbEachOther() throws Exception {
    KmpSearchProcessorFactory factory =
        AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(bytes("ab"));
    SearchProcessor one = factory.newSearchProcessor();
    SearchProcessor other = factory.newSearchProcessor();
    assertThat(one.process((byte) 'a')).isTrue();
    assertThat(other.process((byte) 'b')).isTrue();
    assertThat(one.process((byte) 'b')).isFalse();
  }

  @Test
  void aNeedleThatChangesLaterIsFoundAsItWas() throws Exception {
    byte[] needle = bytes("ab");
    SearchProcessor processor =
        AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(needle).newSearchProcessor();
    needle[1] = 'c';
    assertThat(ends(bytes("acab"), processor)).containsExactly(3);
  }

  @Test
  void emptyTooLongAndMissingNeedles() throws Exception {
    SearchProcessor kmp =
        AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(new byte[0])
            .newSearchProcessor();
    assertThat(ends(bytes("ab"), kmp)).containsExactly(0, 1);
    SearchProcessor bitap =
        AbstractSearchProcessorFactory.newBitapSearchProcessorFactory(new byte[0])
            .newSearchProcessor();
    assertThat(ends(bytes("ab"), bitap)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> AbstractSearchProcessorFactory.newBitapSearchProcessorFactory(new byte[65]))
        .withMessageContaining("65");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                AbstractMultiSearchProcessorFactory.newAhoCorasicSearchProcessorFactory(
                    bytes("a"), new byte[0]));
    assertThatNullPointerException()
        .isThrownBy(() -> AbstractSearchProcessorFactory.newKmpSearchProcessorFactory(null));
  }
}
