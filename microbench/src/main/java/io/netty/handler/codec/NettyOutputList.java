/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package io.netty.handler.codec;

import org.jspecify.annotations.NullMarked;

/** Netty's list of decoded messages, which it shows to its own package only. */
@NullMarked
public final class NettyOutputList {
  private final CodecOutputList list = CodecOutputList.newInstance();

  /** Adds a message. */
  public void add(Object message) {
    list.add(message);
  }

  /** Whether something was added since the list was made. */
  public boolean insertSinceRecycled() {
    return list.insertSinceRecycled();
  }

  /** Takes all messages out. */
  public void clear() {
    list.clear();
  }

  /** Gives the list back. */
  public void recycle() {
    list.recycle();
  }
}
