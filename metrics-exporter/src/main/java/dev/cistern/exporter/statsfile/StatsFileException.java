/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.statsfile;

import java.io.IOException;

/** Thrown if a file is not a stats file, is damaged, or cannot be written. */
public final class StatsFileException extends IOException {
  private static final long serialVersionUID = 1;

  /** Creates the exception with a short reason. */
  public StatsFileException(String reason) {
    super(reason);
  }
}
