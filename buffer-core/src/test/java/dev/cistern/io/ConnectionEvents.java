/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events that a connection gets from its outbound buffer, in order. */
final class ConnectionEvents implements OutboundListener {
  /** {@code writable}, {@code not writable}, {@code <name> written}, {@code <name> failed: ...}. */
  final List<String> log = new ArrayList<>();

  final List<Throwable> failures = new ArrayList<>();

  @Override
  public void writabilityChanged(OutboundBuffer buffer, boolean writable) {
    log.add(writable ? "writable" : "not writable");
  }

  @Override
  public void failed(OutboundBuffer buffer, Throwable failure) {
    failures.add(failure);
  }

  WriteListener listener(String name) {
    return failure -> log.add(name + outcome(failure));
  }

  private static String outcome(@Nullable Throwable failure) {
    return failure == null
        ? " written"
        : " failed: " + failure.getClass().getSimpleName() + " " + failure.getMessage();
  }
}
