/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/**
 * Tells whether this JVM has the HTTP server that {@link ExporterServer} needs. Ask it before that
 * class is touched: without the module {@code jdk.httpserver} it cannot be linked.
 */
public final class HttpServerModule {
  /** The module's name, for messages. */
  public static final String NAME = "jdk.httpserver";

  private HttpServerModule() {}

  /** Returns true if the module is part of this JVM and was resolved when it started. */
  public static boolean isPresent() {
    return ModuleLayer.boot().findModule(NAME).isPresent();
  }
}
