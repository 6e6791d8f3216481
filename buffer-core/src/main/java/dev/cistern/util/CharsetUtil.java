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
  /** 16 bits, in the byte order that a mark says. */
  public static final Charset UTF_16 = StandardCharsets.UTF_16;

  /** 16 bits, big endian. */
  public static final Charset UTF_16BE = StandardCharsets.UTF_16BE;

  /** 16 bits, little endian. */
  public static final Charset UTF_16LE = StandardCharsets.UTF_16LE;

  /** One to four bytes for a character. */
  public static final Charset UTF_8 = StandardCharsets.UTF_8;

  /** Latin-1: one byte for each of the first 256 characters. */
  public static final Charset ISO_8859_1 = StandardCharsets.ISO_8859_1;

  /** One byte for each of the first 128 characters. */
  public static final Charset US_ASCII = StandardCharsets.US_ASCII;

  private static final Charset[] ALL = {UTF_16, UTF_16BE, UTF_16LE, UTF_8, ISO_8859_1, US_ASCII};

  /**
   * What a thread uses again. Never in use on return to the caller's caller: each use resets it.
   */
  private static final ThreadLocal<Map<Charset, CharsetEncoder>> ENCODERS =
      ThreadLocal.withInitial(HashMap::new);

  private static final ThreadLocal<Map<Charset, CharsetDecoder>> DECODERS =
      ThreadLocal.withInitial(HashMap::new);

  private CharsetUtil() {}

  /** All charsets of this class, in an array of the caller's own. */
  public static Charset[] values() {
    return ALL.clone();
  }

  /** A new encoder that does with malformed input and with unmappable characters what is said. */
  public static CharsetEncoder encoder(
      Charset charset,
      CodingErrorAction malformedInputAction,
      CodingErrorAction unmappableCharacterAction) {
    return charset
        .newEncoder()
        .onMalformedInput(malformedInputAction)
        .onUnmappableCharacter(unmappableCharacterAction);
  }

  /** A new encoder that does the same with malformed input and with unmappable characters. */
  public static CharsetEncoder encoder(Charset charset, CodingErrorAction codingErrorAction) {
    return encoder(charset, codingErrorAction, codingErrorAction);
  }

  /**
   * The calling thread's own encoder, reset, which replaces what it cannot encode. It must not be
   * kept, nor given to another thread.
   */
  public static CharsetEncoder encoder(Charset charset) {
    return ENCODERS
        .get()
        .computeIfAbsent(charset, Charset::newEncoder)
        .reset()
        .onMalformedInput(CodingErrorAction.REPLACE)
        .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  /** A new decoder that does with malformed input and with unmappable characters what is said. */
  public static CharsetDecoder decoder(
      Charset charset,
      CodingErrorAction malformedInputAction,
      CodingErrorAction unmappableCharacterAction) {
    return charset
        .newDecoder()
        .onMalformedInput(malformedInputAction)
        .onUnmappableCharacter(unmappableCharacterAction);
  }

  /** A new decoder that does the same with malformed input and with unmappable characters. */
  public static CharsetDecoder decoder(Charset charset, CodingErrorAction codingErrorAction) {
    return decoder(charset, codingErrorAction, codingErrorAction);
  }

  /**
   * The calling thread's own decoder, reset, which replaces what it cannot decode. It must not be
   * kept, nor given to another thread.
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
