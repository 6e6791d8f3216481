/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.gateway;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;

/** Replaces each part of a body with a copy, and retains the copy once too often. */
final class ReplacingFilter extends BodyFilter {
  @Override
  DataBuffer apply(DataBufferFactory buffers, DataBuffer part) {
    byte[] bytes = new byte[part.readableByteCount()];
    part.read(bytes);
    DataBufferUtils.release(part);
    DataBuffer copy = buffers.allocateBuffer(bytes.length).write(bytes);
    return DataBufferUtils.retain(copy);
  }
}
