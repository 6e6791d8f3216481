/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.pool;

import dev.cistern.stats.Band;
import org.jspecify.annotations.Nullable;

/** The chunks of one usage band. Guarded by the arena's lock. */
final class ChunkList {
  final Band band;
  private @Nullable Chunk head;
  private int size;

  ChunkList(Band band) {
    this.band = band;
  }

  @Nullable Chunk first() {
    return head;
  }

  int size() {
    return size;
  }

  void add(Chunk chunk) {
    chunk.band = band;
    chunk.previous = null;
    chunk.next = head;
    if (head != null) {
      head.previous = chunk;
    }
    head = chunk;
    size++;
  }

  void remove(Chunk chunk) {
    if (chunk.previous != null) {
      chunk.previous.next = chunk.next;
    } else {
      head = chunk.next;
    }
    if (chunk.next != null) {
      chunk.next.previous = chunk.previous;
    }
    chunk.previous = null;
    chunk.next = null;
    size--;
  }
}
