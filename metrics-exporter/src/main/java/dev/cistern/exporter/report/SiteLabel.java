/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import dev.cistern.leak.report.CallStack;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Allocation sites as values of a label. */
public final class SiteLabel {
  /** The site of all that have no series of their own. */
  public static final String OTHER = "other";

  private static final int MAX_LENGTH = 200;
  private static final int HASH_BYTES = 6;

  private SiteLabel() {}

  /** A site as a label: very long names are cut and told apart by their hash. */
  public static String of(String site) {
    if (site.length() <= MAX_LENGTH) {
      return site.equals(OTHER) ? OTHER + ":" : site;
    }
    return site.substring(0, MAX_LENGTH) + "~" + hashOfSite(site);
  }

  /**
   * Returns what is shown of a site if its name may not be: the first 12 hexadecimal digits of the
   * SHA-256 of its name in UTF-8. {@link #OTHER} and {@link CallStack#UNKNOWN} are no names, and
   * stay.
   *
   * @param label as {@link #of} makes it
   */
  public static String hash(String label) {
    if (label.equals(OTHER)) {
      return OTHER;
    }
    if (label.length() > MAX_LENGTH) {
      return label.substring(label.lastIndexOf('~') + 1);
    }
    return hashOfSite(label.equals(OTHER + ":") ? OTHER : label);
  }

  /** As {@link #hash}, of the whole name. */
  public static String hashOfSite(String site) {
    if (site.equals(CallStack.UNKNOWN)) {
      return site;
    }
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(site.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** A hash that is the same in every process (and better spread than that of a string). */
  public static int stableHash(String text) {
    int hash = text.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> 16);
  }
}
