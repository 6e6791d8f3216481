/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.handler.codec;

import org.jspecify.annotations.NullMarked;

/** Netty's list of decoded messages, which is visible only in Netty's package. */
@NullMarked
public final class NettyOutputList {
  private final CodecOutputList list = CodecOutputList.newInstance();

  /** Adds a message. */
  public void add(Object message) {
    list.add(message);
  }

  /** Returns whether a message was added after the creation of the list. */
  public boolean insertSinceRecycled() {
    return list.insertSinceRecycled();
  }

  /** Removes all messages. */
  public void clear() {
    list.clear();
  }

  /** Recycles the list. */
  public void recycle() {
    list.recycle();
  }
}
