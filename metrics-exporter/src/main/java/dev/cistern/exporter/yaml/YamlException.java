/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.yaml;

import java.io.IOException;

/**
 * Thrown if a file is not valid YAML. The message has the location and the kind of the error, but
 * no text of the file. There is no cause, because the parser's exceptions quote the file.
 */
public final class YamlException extends IOException {
  private static final long serialVersionUID = 1;

  YamlException(String message) {
    super(message);
  }
}
