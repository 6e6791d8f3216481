/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.util.NetUtil;
import java.util.Arrays;
import java.util.Locale;

/** Checks and parses valid and invalid addresses. */
public class IpParse extends Workload {
  private final String[] texts = new String[64];

  @Override
  void open() {
    String[] some = {
      "127.0.0.1",
      "10.%d.7.255",
      "192.168.1.256",
      "not an address",
      "::1",
      "fe80::%x:2%%eth0",
      "2001:db8:85a3::8a2e:370:7334",
      "::ffff:192.0.2.%d"
    };
    for (int i = 0; i < texts.length; i++) {
      texts[i] = String.format(Locale.ROOT, some[i % some.length], i);
    }
  }

  private static byte[] parse(String text) {
    if (!NetUtil.isValidIpV4Address(text) && !NetUtil.isValidIpV6Address(text)) {
      return new byte[0];
    }
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    return bytes == null ? new byte[0] : bytes;
  }

  @Override
  int operate() {
    int sum = 0;
    for (String text : texts) {
      byte[] bytes = parse(text);
      sum += bytes.length == 0 ? 1 : NetUtil.bytesToIpAddress(bytes).length();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    for (String text : texts) {
      into.add(Arrays.toString(parse(text)));
    }
    into.add(operate());
  }
}
