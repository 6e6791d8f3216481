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
  /** Label of all sites without their own series. */
  public static final String OTHER = "other";

  private static final int MAX_LENGTH = 200;
  private static final int HASH_BYTES = 6;

  private SiteLabel() {}

  /** Returns the label of a site. A very long name is cut and ends with its hash. */
  public static String of(String site) {
    if (site.length() <= MAX_LENGTH) {
      return site.equals(OTHER) ? OTHER + ":" : site;
    }
    return site.substring(0, MAX_LENGTH) + "~" + hashOfSite(site);
  }

  /**
   * Returns the hash that replaces the name of a site if the name is secret: the first 12
   * hexadecimal digits of the SHA-256 of its name in UTF-8. {@link #OTHER} and {@link
   * CallStack#UNKNOWN} are not names, and do not change.
   *
   * @param label a result of {@link #of}
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

  /** Returns the same as {@link #hash}, from the whole name. */
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

  /**
   * Returns a hash that is the same in every process, and better distributed than that of a string.
   */
  public static int stableHash(String text) {
    int hash = text.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> 16);
  }
}
