/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.gateway;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;

/** Copies each part of a body into another buffer, which it never releases. */
final class CopyingFilter extends BodyFilter {
  @Override
  DataBuffer apply(DataBufferFactory buffers, DataBuffer part) {
    byte[] bytes = new byte[part.readableByteCount()];
    int position = part.readPosition();
    part.read(bytes);
    part.readPosition(position);
    buffers.allocateBuffer(bytes.length).write(bytes);
    return part;
  }
}
