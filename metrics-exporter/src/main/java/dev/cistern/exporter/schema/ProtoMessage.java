/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.schema;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message of Protocol Buffers, encoded field by field. For many small messages, it takes less
 * memory than a {@code CodedOutputStream} for each.
 */
public final class ProtoMessage {
  private static final int FIRST_BYTES = 64;
  private static final int MAX_VARINT_BYTES = 10;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  /** Adds an integer, enum or boolean, but not the types {@code sint} and {@code fixed}. */
  public ProtoMessage number(int field, long value) {
    return packed((long) field << 3 | WireFormat.WIRETYPE_VARINT).packed(value);
  }

  /** Adds a {@code sint32} or {@code sint64}. */
  public ProtoMessage signed(int field, long value) {
    return number(field, CodedOutputStream.encodeZigZag64(value));
  }

  /** Adds a {@code fixed64}. */
  public ProtoMessage fixed(int field, long value) {
    packed((long) field << 3 | WireFormat.WIRETYPE_FIXED64).reserve(Long.BYTES);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes[length++] = (byte) (value >>> shift);
    }
    return this;
  }

  /** Adds a {@code double}. */
  public ProtoMessage decimal(int field, double value) {
    return fixed(field, Double.doubleToRawLongBits(value));
  }

  /** Adds bytes. */
  public ProtoMessage bytes(int field, byte[] value) {
    return delimited(field, value, value.length);
  }

  /** Adds a text, even if it is not well-formed. */
  public ProtoMessage text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a message, or packed integers. */
  public ProtoMessage message(int field, ProtoMessage value) {
    return delimited(field, value.bytes, value.length);
  }

  private ProtoMessage delimited(int field, byte[] value, int valueBytes) {
    packed((long) field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED).packed(valueBytes);
    reserve(valueBytes);
    System.arraycopy(value, 0, bytes, length, valueBytes);
    length += valueBytes;
    return this;
  }

  /** Adds an integer without a field number: this message is one of packed integers. */
  public ProtoMessage packed(long value) {
    reserve(MAX_VARINT_BYTES);
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes[length++] = (byte) (rest | 0x80);
    }
    bytes[length++] = (byte) rest;
    return this;
  }

  private void reserve(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }

  /** Returns the bytes of the encoded message. */
  public int length() {
    return length;
  }

  /** Returns the encoded message. */
  public byte[] encode() {
    return Arrays.copyOf(bytes, length);
  }
}
