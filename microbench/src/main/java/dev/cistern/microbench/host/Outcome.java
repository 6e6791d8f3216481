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

/** The digest of all that a workload brought forth, and whose the buffers were. */
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

  /** Text, by its UTF-8. */
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

  /** The readable bytes of a buffer, which an allocator made. */
  void add(ByteBuf buffer) {
    saw(buffer);
    byte[] content = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), content);
    add(content);
  }

  /** A part of something, which the network cuts as it likes. */
  void addPart(ByteBuf buffer) {
    saw(buffer);
    byte[] content = new byte[buffer.readableBytes()];
    buffer.getBytes(buffer.readerIndex(), content);
    bytes += content.length;
    digest.update(content);
  }

  /** Notes whose buffers an allocator gives out. */
  void saw(ByteBufAllocator allocator) {
    ByteBuf buffer = allocator.directBuffer(1);
    saw(buffer);
    buffer.release();
  }

  /** Notes whose it is; one without memory is nobody's, one read-only is a constant of Netty. */
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
