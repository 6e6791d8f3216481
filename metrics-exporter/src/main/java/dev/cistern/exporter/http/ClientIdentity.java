/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import dev.cistern.exporter.report.SiteStyle;

/** The kind of client, which decides what it may see. */
public enum ClientIdentity {
  /** Nobody in particular: sees hashes of sites, no stacks, and has nothing done. */
  ANYONE,
  /** On this machine, under a name of this machine, where nobody needs to log in. */
  LOCAL,
  /** With a password, or a verified client certificate. */
  AUTHENTICATED;

  /** Whether it may see stacks, and have something done. */
  public boolean isTrusted() {
    return this != ANYONE;
  }

  /** How sites are named to it. */
  public SiteStyle siteStyle() {
    return isTrusted() ? SiteStyle.NAMES : SiteStyle.HASHES;
  }
}
