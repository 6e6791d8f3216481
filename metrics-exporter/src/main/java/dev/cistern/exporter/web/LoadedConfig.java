/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One version of a configuration with the files that it names.
 *
 * @param config content of the configuration file
 * @param tls certificates and key for TLS; null without TLS
 * @param loadedMillis when it was read, in milliseconds since the epoch
 */
record LoadedConfig(WebConfig config, @Nullable TlsMaterial tls, long loadedMillis) {
  static LoadedConfig read(Path file) throws WebConfigException {
    WebConfig config = WebConfigReader.read(file);
    TlsConfig tls = config.tls();
    return new LoadedConfig(
        config, tls == null ? null : TlsMaterial.read(tls), System.currentTimeMillis());
  }

  /** Returns the configuration file and all files that it names. */
  static List<Path> files(Path file, WebConfig config) {
    List<Path> files = new ArrayList<>();
    files.add(file);
    if (config.tls() != null) {
      files.addAll(config.tls().files());
    }
    return files;
  }

  /** Returns a text that changes with the files: their times, lengths and identities. */
  static String stamp(List<Path> files) {
    StringBuilder stamp = new StringBuilder();
    for (Path file : files) {
      stamp.append(file).append(' ');
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        stamp.append(now.lastModifiedTime()).append(' ').append(now.size()).append(' ');
        stamp.append(now.fileKey());
      } catch (IOException e) {
        stamp.append("absent");
      }
      stamp.append('\n');
    }
    return stamp.toString();
  }
}
