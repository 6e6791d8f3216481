/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.report.SiteStyle;

/** The kind of client, which decides what it may see. */
public enum ClientIdentity {
  /** Any other client. It may see hashes of sites, but no stacks, and may not start actions. */
  ANYONE,
  /**
   * A client on this machine that addresses the server by a name of this machine, if no login is
   * configured.
   */
  LOCAL,
  /** A client with a password, or with a verified client certificate. */
  AUTHENTICATED;

  /** Returns whether the client may see stacks and start actions. */
  public boolean isTrusted() {
    return this != ANYONE;
  }

  /** Returns how sites are named for the client. */
  public SiteStyle siteStyle() {
    return isTrusted() ? SiteStyle.NAMES : SiteStyle.HASHES;
  }
}
