/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The charsets that every JVM has, and encoders and decoders for them. */
public final class CharsetUtil {
  /** UTF-16, in the byte order of its byte order mark. */
  public static final Charset UTF_16 = StandardCharsets.UTF_16;

  /** UTF-16, big endian. */
  public static final Charset UTF_16BE = StandardCharsets.UTF_16BE;

  /** UTF-16, little endian. */
  public static final Charset UTF_16LE = StandardCharsets.UTF_16LE;

  /** UTF-8, with one to four bytes for each character. */
  public static final Charset UTF_8 = StandardCharsets.UTF_8;

  /** Latin-1, with one byte for each of the first 256 characters. */
  public static final Charset ISO_8859_1 = StandardCharsets.ISO_8859_1;

  /** ASCII, with one byte for each of the first 128 characters. */
  public static final Charset US_ASCII = StandardCharsets.US_ASCII;

  private static final Charset[] ALL = {UTF_16, UTF_16BE, UTF_16LE, UTF_8, ISO_8859_1, US_ASCII};

  /**
   * The encoders of each thread, which it uses again. Each call of {@link #encoder(Charset)} resets
   * the encoder.
   */
  private static final ThreadLocal<Map<Charset, CharsetEncoder>> ENCODERS =
      ThreadLocal.withInitial(HashMap::new);

  private static final ThreadLocal<Map<Charset, CharsetDecoder>> DECODERS =
      ThreadLocal.withInitial(HashMap::new);

  private CharsetUtil() {}

  /** Returns all charsets of this class, in a new array. */
  public static Charset[] values() {
    return ALL.clone();
  }

  /** Returns a new encoder with an action for malformed input and one for unmappable characters. */
  public static CharsetEncoder encoder(
      Charset charset,
      CodingErrorAction malformedInputAction,
      CodingErrorAction unmappableCharacterAction) {
    return charset
        .newEncoder()
        .onMalformedInput(malformedInputAction)
        .onUnmappableCharacter(unmappableCharacterAction);
  }

  /**
   * Returns a new encoder with the same action for malformed input and for unmappable characters.
   */
  public static CharsetEncoder encoder(Charset charset, CodingErrorAction codingErrorAction) {
    return encoder(charset, codingErrorAction, codingErrorAction);
  }

  /**
   * Returns the encoder of the calling thread, after a reset. It replaces characters that it cannot
   * encode. The caller must not keep it or pass it to another thread.
   */
  public static CharsetEncoder encoder(Charset charset) {
    return ENCODERS
        .get()
        .computeIfAbsent(charset, Charset::newEncoder)
        .reset()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  /** Returns a new decoder with an action for malformed input and one for unmappable characters. */
  public static CharsetDecoder decoder(
      Charset charset,
      CodingErrorAction malformedInputAction,
      CodingErrorAction unmappableCharacterAction) {
    return charset
        .newDecoder()
        .onMalformedInput(malformedInputAction)
        .onUnmappableCharacter(unmappableCharacterAction);
  }

  /**
   * Returns a new decoder with the same action for malformed input and for unmappable characters.
   */
  public static CharsetDecoder decoder(Charset charset, CodingErrorAction codingErrorAction) {
    return decoder(charset, codingErrorAction, codingErrorAction);
  }

  /**
   * Returns the decoder of the calling thread, after a reset. It replaces bytes that it cannot
   * decode. The caller must not keep it or pass it to another thread.
   */
  public static CharsetDecoder decoder(Charset charset) {
    return DECODERS
        .get()
        .computeIfAbsent(charset, Charset::newDecoder)
        .reset()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }
}
