/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of peers as files, dumps and reports have them. */
public final class PeerAddress {
  private static final String UNKNOWN = "*";

  private static final Pattern IPV4 =
      Pattern.compile("(\\d{1,3}\\.\\d{1,3})(?:\\.\\d{1,3}){2}(?::\\d+)?");

  /** With eight groups, or fewer around a double colon. */
  private static final Pattern IPV6 =
      Pattern.compile(
          "\\[?(?=[^:]*(?::[^:]*)?::|[^:]*:[^:]*:.*::|(?:[^:]+:){7})"
              + "([0-9a-fA-F]{0,4}):([0-9a-fA-F]{0,4}):[0-9a-fA-F:]*(?:%[^\\]]*)?(?:\\](?::\\d+)?)?");

  private PeerAddress() {}

  /**
   * Returns the network of an address: of IPv4 the first two numbers, such as {@code 10.4.*.*}, of
   * IPv6 the first two groups, such as {@code 2001:db8:*}, otherwise {@code *}. A name of a host
   * and a port are left out.
   *
   * @param address text of a socket address, such as {@code /10.4.7.9:443}; empty if there is none,
   *     which stays
   */
  public static String masked(String address) {
    if (address.isEmpty()) {
      return "";
    }
    String host = address.substring(address.lastIndexOf('/') + 1);
    Matcher ipv4 = IPV4.matcher(host);
    if (ipv4.matches()) {
      return ipv4.group(1) + ".*.*";
    }
    Matcher ipv6 = IPV6.matcher(host);
    return ipv6.matches() ? group(ipv6, 1) + ":" + group(ipv6, 2) + ":*" : UNKNOWN;
  }

  /** Returns a group; a double colon leaves out groups of zeros. */
  private static String group(Matcher ipv6, int number) {
    String digits = ipv6.group(number);
    return digits.isEmpty() ? "0" : digits;
  }
}
