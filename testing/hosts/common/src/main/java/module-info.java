/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** Code that all hosts share. */
module example.hosts.common {
  requires static org.jspecify;
  requires jdk.httpserver;

  exports example.hosts.common;
}
