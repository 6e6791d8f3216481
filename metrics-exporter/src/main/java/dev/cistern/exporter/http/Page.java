/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.IOException;

/** Handler of the requests for one path. */
public interface Page {
  Response respond(Request request) throws IOException;

  /** Returns the message for clients that may not see the page. */
  default String forbidden() {
    return "This page is only for clients on the same machine, or with a login.";
  }
}
