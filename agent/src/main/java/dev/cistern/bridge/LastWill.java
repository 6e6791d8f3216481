/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.bridge;

import dev.cistern.pool.BufferPool;

/**
 * Gives a pool's native memory back when the class loader of its copy of Netty is unreachable, and
 * with it every buffer of the pool.
 *
 * <p>By a finalizer, as Netty's own arenas do it: it is the only thing of the JDK that brings a
 * loader back for once, and here it is the host's own classes that have to free the memory. Where
 * finalization is switched off, memory is drawn as Netty draws it, and goes or stays as Netty's
 * does ({@link UntouchedDraw}).
 */
final class LastWill {
  private final BufferPool pool;

  LastWill(BufferPool pool) {
    this.pool = pool;
  }

  @Override
  @SuppressWarnings({"deprecation", "removal", "Finalize"}) // see above
  protected void finalize() {
    HostDirectMemory.INSTANCE.becomeUnreachable();
    pool.freeUnreachable();
  }
}
