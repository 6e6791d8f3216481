/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

/** What the hosts share. */
module example.hosts.common {
  requires static org.jspecify;
  requires jdk.httpserver;

  exports example.hosts.common;
}
