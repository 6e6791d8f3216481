/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.io;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a connection hears of its outbound buffer, in order. */
final class Heard implements OutboundListener {
  /** {@code writable}, {@code not writable}, {@code <name> written}, {@code <name> failed: ...}. */
  final List<String> said = new ArrayList<>();

  final List<Throwable> failures = new ArrayList<>();

  @Override
  public void writabilityChanged(OutboundBuffer buffer, boolean writable) {
    said.add(writable ? "writable" : "not writable");
  }

  @Override
  public void failed(OutboundBuffer buffer, Throwable failure) {
    failures.add(failure);
  }

  WriteListener listener(String name) {
    return failure -> said.add(name + said(failure));
  }

  private static String said(@Nullable Throwable failure) {
    return failure == null
        ? " written"
        : " failed: " + failure.getClass().getSimpleName() + " " + failure.getMessage();
  }
}
