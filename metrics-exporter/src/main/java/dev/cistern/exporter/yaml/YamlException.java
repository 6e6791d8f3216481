/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.yaml;

import java.io.IOException;

/**
 * A file that is not YAML. The message has the place and the kind of the error, and nothing of the
 * file. There is no cause: the parser's exceptions quote the file.
 */
public final class YamlException extends IOException {
  private static final long serialVersionUID = 1;

  YamlException(String message) {
    super(message);
  }
}
