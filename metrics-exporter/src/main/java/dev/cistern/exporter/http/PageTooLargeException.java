/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.IOException;

/** Thrown if the memory for a page is too small. The message may be shown to any client. */
public final class PageTooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param message the size in bytes, the limit and the setting that changes it, without any name
   *     of the host
   */
  public PageTooLargeException(String message) {
    super(message);
  }
}
