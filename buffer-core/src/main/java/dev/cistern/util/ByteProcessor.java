/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

/** A processor of bytes, one after the other, which can stop. */
public interface ByteProcessor {
  /** A processor that stops at the first byte of a value. */
  class IndexOfProcessor implements ByteProcessor {
    private final byte wanted;

    /**
     * @param byteToFind the value to stop at
     */
    public IndexOfProcessor(byte byteToFind) {
      wanted = byteToFind;
    }

    @Override
    public boolean process(byte value) {
      return value != wanted;
    }
  }

  /** A processor that stops at the first byte of another value. */
  class IndexNotOfProcessor implements ByteProcessor {
    private final byte unwanted;

    /**
     * @param byteToNotFind the value to skip
     */
    public IndexNotOfProcessor(byte byteToNotFind) {
      unwanted = byteToNotFind;
    }

    @Override
    public boolean process(byte value) {
      return value == unwanted;
    }
  }

  /** Stops at a {@code NUL}. */
  ByteProcessor FIND_NUL = new IndexOfProcessor((byte) 0);

  /** Stops at any byte other than a {@code NUL}. */
  ByteProcessor FIND_NON_NUL = new IndexNotOfProcessor((byte) 0);

  /** Stops at a carriage return. */
  ByteProcessor FIND_CR = new IndexOfProcessor((byte) '\r');

  /** Stops at any byte other than a carriage return. */
  ByteProcessor FIND_NON_CR = new IndexNotOfProcessor((byte) '\r');

  /** Stops at a line feed. */
  ByteProcessor FIND_LF = new IndexOfProcessor((byte) '\n');

  /** Stops at any byte other than a line feed. */
  ByteProcessor FIND_NON_LF = new IndexNotOfProcessor((byte) '\n');

  /** Stops at a semicolon. */
  ByteProcessor FIND_SEMI_COLON = new IndexOfProcessor((byte) ';');

  /** Stops at a comma. */
  ByteProcessor FIND_COMMA = new IndexOfProcessor((byte) ',');

  /** Stops at a space. */
  ByteProcessor FIND_ASCII_SPACE = new IndexOfProcessor((byte) ' ');

  /** Stops at a carriage return or a line feed. */
  ByteProcessor FIND_CRLF = value -> value != '\r' && value != '\n';

  /** Stops at any byte other than a carriage return or a line feed. */
  ByteProcessor FIND_NON_CRLF = value -> value == '\r' || value == '\n';

  /** Stops at a space or a tab. */
  ByteProcessor FIND_LINEAR_WHITESPACE = value -> value != ' ' && value != '\t';

  /** Stops at any byte other than a space or a tab. */
  ByteProcessor FIND_NON_LINEAR_WHITESPACE = value -> value == ' ' || value == '\t';

  /**
   * Processes the next byte.
   *
   * @return false to stop here
   * @throws Exception if the processor fails; the caller of the search receives the exception
   */
  boolean process(byte value) throws Exception;
}
