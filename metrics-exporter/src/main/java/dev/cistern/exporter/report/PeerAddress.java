/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of peers, as reports show them outside of the process: the network, not the peer. */
public final class PeerAddress {
  private static final String UNKNOWN = "*";

  /** Also matches an address that is masked already. */
  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3}\\.\\d{1,3})(\\.(\\d{1,3}|\\*)){2}(:\\d+)?");

  /** As the JDK writes it: eight groups, in brackets if a port follows. */
  private static final Pattern IPV6 =
      Pattern.compile(
          "\\[?(\\p{XDigit}{1,4}:\\p{XDigit}{1,4}):(\\*|(\\p{XDigit}{1,4}:){5}\\p{XDigit}{1,4})"
              + "(%[^]]*)?(]:\\d+)?");

  private PeerAddress() {}

  /**
   * Returns the masked form of an address: the first two numbers of an IPv4 address, such as {@code
   * 10.4.*.*}, the first two groups of an IPv6 address, such as {@code 2001:db8:*}, and {@code *}
   * for all others. The form has no name and no port.
   *
   * @param address text of a socket address, such as {@code shop.example/10.4.1.2:443}; empty if
   *     there is none, which stays empty
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
