/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** Allocation sites as values of a label. */
final class SiteLabel {
  /** The site of all that have no series of their own. */
  static final String OTHER = "other";

  private static final int MAX_LENGTH = 200;

  private SiteLabel() {}

  /** A site as a label: very long names are cut and told apart by their hash. */
  static String of(String site) {
    if (site.length() <= MAX_LENGTH) {
      return site.equals(OTHER) ? OTHER + ":" : site;
    }
    return site.substring(0, MAX_LENGTH) + "~" + Integer.toHexString(stableHash(site));
  }

  /** A hash that is the same in every process (and better spread than that of a string). */
  static int stableHash(String text) {
    int hash = text.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> 16);
  }
}
