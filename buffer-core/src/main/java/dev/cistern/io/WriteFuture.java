/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A listener for whose result other threads can wait. */
final class WriteFuture extends CompletableFuture<@Nullable Void> implements WriteListener {
  @Override
  public void completed(@Nullable Throwable failure) {
    if (failure == null) {
      complete(null);
    } else {
      completeExceptionally(failure);
    }
  }
}
