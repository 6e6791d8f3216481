/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.IOException;

/** There is no room for what a page would tell; its message may be told to whoever asked. */
public final class PageTooLargeException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Tells how large it is.
   *
   * @param message the bytes, the limit and the setting that changes it, and no name of anything
   */
  public PageTooLargeException(String message) {
    super(message);
  }
}
