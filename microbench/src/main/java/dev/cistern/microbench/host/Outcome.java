/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The digest of all output of a workload, and the number of buffers by their library. */
public final class Outcome {
  private static final String OURS = "dev.cistern.";

  private final MessageDigest digest;
  private long bytes;
  private int ours;
  private int others;

  Outcome() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** Adds a text, as UTF-8. */
  void add(CharSequence text) {
    add(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  void add(long number) {
    add(Long.toString(number));
  }

  void add(byte[] content) {
    bytes += content.length;
    digest.update(content);
    digest.update((byte) 0);
  }

  /** Adds the readable bytes of an allocated buffer. */
  void add(ByteBuf buffer) {
    saw(buffer);
    byte[] content = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), content);
    add(content);
  }

  /** Adds a part of a stream, which the network may split anywhere. */
  void addPart(ByteBuf buffer) {
    saw(buffer);
    byte[] content = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), content);
    bytes += content.length;
    digest.update(content);
  }

  /** Counts a buffer of an allocator by its library. */
  void saw(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.directBuffer(1);
    saw(buffer);
    buffer.release();
  }

  /**
   * Counts a buffer by its library. Skips buffers without memory, and read-only buffers, which are
   * constants of Netty.
   */
  void saw(ByteBuf buffer) {
    if (buffer instanceof CompositeByteBuf parts && parts.numComponents() > 0) {
      for (int part = 0; part < parts.numComponents(); part++) {
        saw(parts.internalComponent(part));
      }
    } else if (buffer.capacity() > 0 && !buffer.isReadOnly()) {
      count(buffer);
    }
  }

  private void count(ByteBuf buffer) {
    for (@Nullable ByteBuf one = buffer; one != null; one = one.unwrap()) {
      if (one.getClass().getName().startsWith(OURS)) {
        ours++;
        return;
      }
    }
    others++;
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(digest.digest())
        + " bytes="
        + bytes
        + " ours="
        + ours
        + " others="
        + others;
  }
}
