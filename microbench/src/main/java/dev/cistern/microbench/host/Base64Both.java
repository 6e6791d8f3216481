/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.base64.Base64;

/** Writes 1 KiB as Base64, and reads it back. */
public class Base64Both extends Workload {
  private final byte[] content = Http1.body(1024);

  @Override
  void open() {}

  private ByteBuf encoded() {
    ByteBuf plain = ByteBufAllocator.DEFAULT.buffer(content.length).writeBytes(content);
    ByteBuf encoded = Base64.encode(plain);
    plain.release();
    return encoded;
  }

  @Override
  int operate() {
    ByteBuf encoded = encoded();
    ByteBuf decoded = Base64.decode(encoded);
    int last = decoded.getByte(decoded.writerIndex() - 1) + encoded.readableBytes();
    encoded.release();
    decoded.release();
    return last;
  }

  @Override
  void record(Outcome into) {
    ByteBuf encoded = encoded();
    into.add(encoded.duplicate());
    ByteBuf decoded = Base64.decode(encoded);
    into.add(decoded);
    encoded.release();
    decoded.release();
  }
}
