/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masking of the addresses of peers. Outside of the process, reports show the network of a peer
 * only.
 */
public final class PeerAddress {
  private static final String UNKNOWN = "*";

  /** Pattern of an IPv4 address, which may already be masked. */
  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3}\\.\\d{1,3})(\\.(\\d{1,3}|\\*)){2}(:\\d+)?");

  /**
   * Pattern of an IPv6 address in the form of the JDK: eight groups, in brackets if a port follows.
   */
  private static final Pattern IPV6 =
      Pattern.compile(
          "\\[?(\\p{XDigit}{1,4}:\\p{XDigit}{1,4}):(\\*|(\\p{XDigit}{1,4}:){5}\\p{XDigit}{1,4})"
              + "(%[^]]*)?(]:\\d+)?");

  private PeerAddress() {}

  /**
   * Returns the masked form of an address: the first two numbers of an IPv4 address, such as {@code
   * 10.4.*.*}, the first two groups of an IPv6 address, such as {@code 2001:db8:*}, and {@code *}
   * for any other text. The form has no name and no port.
   *
   * @param address text of a socket address, such as {@code shop.example/10.4.1.2:443}; empty if
   *     there is none; then the result is empty
   */
  public static String masked(String address) {
    if (address.isEmpty()) {
      return "";
    }
    String numbers = address.substring(address.lastIndexOf('/') + 1);
    Matcher four = IPV4.matcher(numbers);
    if (four.matches()) {
      return four.group(1) + ".*.*";
    }
    Matcher six = IPV6.matcher(numbers);
    return six.matches() ? six.group(1) + ":*" : UNKNOWN;
  }
}
