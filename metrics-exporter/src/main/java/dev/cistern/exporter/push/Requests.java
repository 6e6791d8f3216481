/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of one push. */
@FunctionalInterface
interface Requests {
  /** A request that is not sent yet. */
  interface Pending {
    /**
     * Returns the message; null if there is nothing to push.
     *
     * @throws IOException if the message cannot be created
     */
    byte @Nullable [] encode() throws IOException;

    /** Called when the receiver has accepted the request. */
    default void accepted() {}
  }

  /** Returns the requests of a push that is due now. Called by the thread that pushes. */
  List<? extends Pending> pending();
}
