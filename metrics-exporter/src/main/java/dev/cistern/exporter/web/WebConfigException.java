/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;

/**
 * Thrown if a web configuration cannot be used. The message has the file, the key, the value, and
 * the permitted values.
 */
public final class WebConfigException extends IOException {
  private static final long serialVersionUID = 1;

  WebConfigException(String message) {
    super(message);
  }

  WebConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
