/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;

/** A file that is no stats file, or a damaged one, or one that cannot be written. */
public final class StatsFileException extends IOException {
  private static final long serialVersionUID = 1;

  /** With a short reason. */
  public StatsFileException(String reason) {
    super(reason);
  }
}
