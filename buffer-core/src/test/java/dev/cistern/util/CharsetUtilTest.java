/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.MalformedInputException;
import java.nio.charset.UnmappableCharacterException;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("D5")
class CharsetUtilTest {
  private static final String TEXT = "caf\u00e9 \u20ac \ud83d\ude00";

  static Charset[] charsets() {
    return CharsetUtil.values();
  }

  @Test
  void hasTheCharsetsThatNettyHas() {
    assertThat(CharsetUtil.values()).isEqualTo(io.netty.util.CharsetUtil.values());
  }

  @Test
  void valuesAreTheCallersOwn() {
    Arrays.fill(CharsetUtil.values(), null);
    assertThat(CharsetUtil.values()).doesNotContainNull();
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void encodesAndDecodesAsTheJdk(Charset charset) throws Exception {
    byte[] expected = TEXT.getBytes(charset);
    ByteBuffer encoded = CharsetUtil.encoder(charset).encode(CharBuffer.wrap(TEXT));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    assertThat(bytes).isEqualTo(expected);
    assertThatObject(CharsetUtil.decoder(charset).decode(ByteBuffer.wrap(expected)))
        .hasToString(new String(expected, charset));
  }

  @ParameterizedTest
  @MethodSource("charsets")
  void aThreadUsesItsOwnAgain(Charset charset) throws Exception {
    CharsetEncoder encoder = CharsetUtil.encoder(charset);
    CharsetDecoder decoder = CharsetUtil.decoder(charset);
    assertThat(CharsetUtil.encoder(charset)).isSameAs(encoder);
    assertThat(CharsetUtil.decoder(charset)).isSameAs(decoder);
    FutureTask<CharsetEncoder> other = new FutureTask<>(() -> CharsetUtil.encoder(charset));
    Thread thread = new Thread(other);
    thread.start();
    assertThat(other.get()).isNotSameAs(encoder);
    thread.join();
  }

  @Test
  void aReusedCoderIsResetAndReplacesErrors() throws Exception {
    CharsetEncoder encoder = CharsetUtil.encoder(CharsetUtil.US_ASCII);
    encoder.onUnmappableCharacter(CodingErrorAction.REPORT);
    encoder.encode(CharBuffer.wrap("a"), ByteBuffer.allocate(0), false); // not completed
    assertThat(CharsetUtil.encoder(CharsetUtil.US_ASCII).encode(CharBuffer.wrap("\u00e9")).get())
        .isEqualTo((byte) '?');
    CharsetDecoder decoder = CharsetUtil.decoder(CharsetUtil.UTF_8);
    decoder.onMalformedInput(CodingErrorAction.REPORT);
    assertThatObject(
            CharsetUtil.decoder(CharsetUtil.UTF_8).decode(ByteBuffer.wrap(new byte[] {-1})))
        .hasToString("\ufffd");
  }

  @Test
  void errorActionsAreTheRequestedOnes() throws Exception {
    CharsetEncoder strict =
        CharsetUtil.encoder(
            CharsetUtil.US_ASCII, CodingErrorAction.IGNORE, CodingErrorAction.REPORT);
    assertThat(strict.malformedInputAction()).isEqualTo(CodingErrorAction.IGNORE);
    assertThatThrownBy(() -> strict.encode(CharBuffer.wrap("\u00e9")))
        .isInstanceOf(UnmappableCharacterException.class);
    assertThat(
            CharsetUtil.encoder(CharsetUtil.US_ASCII, CodingErrorAction.IGNORE)
                .encode(CharBuffer.wrap("\u00e9"))
                .remaining())
        .isZero();
    CharsetDecoder decoder =
        CharsetUtil.decoder(CharsetUtil.UTF_8, CodingErrorAction.REPORT, CodingErrorAction.IGNORE);
    assertThat(decoder.unmappableCharacterAction()).isEqualTo(CodingErrorAction.IGNORE);
    assertThatThrownBy(() -> decoder.decode(ByteBuffer.wrap(new byte[] {-1})))
        .isInstanceOf(MalformedInputException.class);
    assertThatObject(
            CharsetUtil.decoder(CharsetUtil.UTF_8, CodingErrorAction.IGNORE)
                .decode(ByteBuffer.wrap(new byte[] {-1})))
        .hasToString("");
  }
}
