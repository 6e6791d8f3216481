/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Source of certificates or a key: a separate file, or the configuration itself.
 *
 * @param key key of the setting, with the name of the configuration file, for messages
 * @param file null if the text is in the configuration
 * @param inline the text itself; null if there is a file
 */
record PemSource(String key, @Nullable Path file, @Nullable String inline) {
  private static final long MAX_BYTES = 1 << 20;

  String read() throws WebConfigException {
    if (inline != null) {
      return inline;
    }
    if (file == null) {
      throw new IllegalStateException(key);
    }
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new WebConfigException(
            name() + " has more than " + MAX_BYTES + " bytes; allowed: PEM");
      }
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (WebConfigException e) {
      throw e;
    } catch (IOException e) {
      throw new WebConfigException(name() + " cannot be read (" + e + "); allowed: a PEM file", e);
    }
  }

  /** Returns the name of the source for messages. */
  String name() {
    return file == null ? key : key + " = '" + file + "'";
  }
}
