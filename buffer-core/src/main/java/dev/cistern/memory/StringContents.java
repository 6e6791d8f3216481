/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Access to the array inside a {@code String}, without a copy. The array has one byte per character
 * if all characters are Latin-1, otherwise two in the machine's byte order (JEP 254). Callers must
 * neither write to the array nor keep it.
 *
 * <p>If the strings of this JVM have other fields, there is no array, and callers read the string
 * character by character.
 */
public final class StringContents {
  private static final byte LATIN1 = 0;
  private static final byte UTF16 = 1;
  private static final long VALUE = MemoryAccess.fieldOffset(String.class, "value");
  private static final long CODER = MemoryAccess.fieldOffset(String.class, "coder");
  private static final boolean READABLE = tryRead();

  private StringContents() {}

  private static boolean tryRead() {
    if (VALUE < 0 || CODER < 0) {
      return false;
    }
    for (String probe : new String[] {"", "Latin-1: \u00e9", "beyond: \u0100\ud83d\ude00"}) {
      if (!isAsExpected(probe)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAsExpected(String probe) {
    if (!(MemoryAccess.getReference(probe, VALUE) instanceof byte[] array)) {
      return false;
    }
    byte coder = MemoryAccess.getByte(probe, CODER);
    if (coder == LATIN1) {
      return Arrays.equals(array, probe.getBytes(StandardCharsets.ISO_8859_1));
    }
    boolean isSame = coder == UTF16 && array.length == probe.length() * Character.BYTES;
    for (int i = 0; isSame && i < probe.length(); i++) {
      isSame = charAt(array, i) == probe.charAt(i);
    }
    return isSame;
  }

  /** Returns the array, or null if the fields of this JVM's strings are unknown. */
  public static byte @Nullable [] array(String text) {
    return READABLE ? (byte[]) MemoryAccess.getReference(text, VALUE) : null;
  }

  /** Returns whether there is an array with one byte per character. */
  public static boolean isLatin1(String text) {
    return READABLE && MemoryAccess.getByte(text, CODER) == LATIN1;
  }

  /** Returns the character at {@code index} of an array with two bytes per character. */
  private static char charAt(byte[] array, int index) {
    return (char)
        MemoryAccess.getShort(array, MemoryAccess.BYTE_ARRAY_OFFSET + ((long) index << 1));
  }
}
