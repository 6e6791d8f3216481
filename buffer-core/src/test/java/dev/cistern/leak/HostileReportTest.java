/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reports as bytes: whatever the bytes are, a report or a refusal comes of them. */
class HostileReportTest {
  private static final CallStack STACK =
      new CallStack("a.B.c:1", List.of("x.Y.z(Y.java:9)", "a.B.c(B.java:1)"), 1, 3);
  private static final LeakAccess ACCESS = new LeakAccess("touch", "hint", "main", 5, 7, STACK);
  private static final LeakRecord RECORD =
      new LeakRecord(
          "direct", "pooled", 100, 112, "main", 1, 2, STACK, List.of(ACCESS), 3, List.of(), 4);
  private static final LeakReport LEAKS =
      new LeakReport("advanced", List.of(new LeakEntry(1, 2, 3, 4, 5, RECORD)), 6, 7, 8, 9, 10, 11);
  private static final LiveEstimate LIVE =
      new LiveEstimate(1, 2.5, 3.5, 4.5, 5.5, List.of(1.0, 1.5, 2.0, 0.0));
  private static final LiveReport LIVE_BYTES =
      new LiveReport(
          1,
          2,
          List.of(
              new LiveStack("direct", STACK, 5, 6.5, LIVE),
              new LiveStack("heap", CallStack.NONE, 5, 0, LiveEstimate.NOTHING)),
          List.of(new SiteTrend("direct", "a.B.c:1", -5, 6, 7)),
          8);

  /** The two that cross class loaders. */
  enum Kind {
    LEAK_REPORT(LEAKS.encode(), LeakReport::decode, LEAKS),
    LIVE_REPORT(LIVE_BYTES.encode(), LiveReport::decode, LIVE_BYTES);

    @SuppressWarnings("ImmutableEnumChecker") // is not changed
    final byte[] encoded;

    @SuppressWarnings("ImmutableEnumChecker") // a function
    final Function<byte[], Object> decoder;

    @SuppressWarnings("ImmutableEnumChecker") // is not changed
    final Object report;

    Kind(byte[] encoded, Function<byte[], Object> decoder, Object report) {
      this.encoded = encoded;
      this.decoder = decoder;
      this.report = report;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatWasEncodedIsDecoded(Kind kind) {
    assertThat(kind.decoder.apply(kind.encoded)).isEqualTo(kind.report);
  }

  @ParameterizedTest
  @EnumSource
  void eachCutAndWhatIsTooLongIsRefused(Kind kind) {
    for (int length = 0; length < kind.encoded.length; length++) {
      byte[] cut = Arrays.copyOf(kind.encoded, length);
      assertThatIllegalArgumentException().isThrownBy(() -> kind.decoder.apply(cut));
    }
    byte[] longer = Arrays.copyOf(kind.encoded, kind.encoded.length + 1);
    assertThatIllegalArgumentException().isThrownBy(() -> kind.decoder.apply(longer));
  }

  @ParameterizedTest
  @EnumSource
  void whateverByteIsWrongNothingElseThanARefusalComesOfIt(Kind kind) {
    for (int at = 0; at < kind.encoded.length; at++) {
      for (int value : new int[] {0, 1, 0x7F, 0x80, 0xFF}) {
        byte[] wrong = kind.encoded.clone();
        wrong[at] = (byte) value;
        decodeOrRefuse(kind, wrong, "byte " + at + " is " + value);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void randomBytesAreRefused(Kind kind) {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    System.out.println("cistern.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] wrong = new byte[random.nextInt(200)];
      random.nextBytes(wrong);
      if (random.nextBoolean()) { // at least the version is right
        System.arraycopy(kind.encoded, 0, wrong, 0, Math.min(4, wrong.length));
      }
      decodeOrRefuse(kind, wrong, "cistern.seed=" + seed);
    }
  }

  private static void decodeOrRefuse(Kind kind, byte[] bytes, String what) {
    try {
      assertThat(kind.decoder.apply(bytes)).as(what).isNotNull();
    } catch (IllegalArgumentException refused) {
      assertThat(refused).as(what).hasMessageMatching("(?s).+");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOthersBytesAreRefused(Kind kind) {
    Kind other = Kind.values()[1 - kind.ordinal()];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> kind.decoder.apply(other.encoded))
        .withMessageContaining("expected: ");
  }

  @Test
  void anEstimateHasEachBandOfAge() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LiveEstimate(0, 0, 0, 0, 0, List.of(1.0)))
        .withMessage("bytesByAge: 1 (expected: 4)");
  }

  @Test
  void textsOfAnyLengthAndKindCanBeEncoded() {
    for (String text : List.of("", "\0", "\uD800", "\uFFFF".repeat(60_000), "x".repeat(100_000))) {
      CallStack stack = new CallStack(text, List.of(text, text), 0, 0);
      LeakAccess access = new LeakAccess(text, text, text, 0, 0, stack);
      LeakRecord leak =
          new LeakRecord(text, text, 0, 0, text, 0, 0, stack, List.of(access), 0, List.of(), 0);
      LeakReport report =
          new LeakReport(text, List.of(new LeakEntry(1, 1, 1, 1, 1, leak)), 0, 0, 0, 0, 0, 0);
      LeakReport decoded = LeakReport.decode(report.encode());
      assertThat(text).startsWith(decoded.entries().get(0).latest().thread());
      assertThat(decoded.entries().get(0).latest().toText()).isNotEmpty();
    }
  }

  @Test
  void aLyingNumberOfItemsTakesNoMemory() {
    byte[] lying = LIVE_BYTES.encode();
    int items = 4 + 8 + 8; // version, time, interval
    for (int count : List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20)) {
      byte[] wrong = lying.clone();
      for (int i = 0; i < 4; i++) {
        wrong[items + i] = (byte) (count >>> (24 - 8 * i));
      }
      assertThatIllegalArgumentException().isThrownBy(() -> LiveReport.decode(wrong));
    }
  }
}
