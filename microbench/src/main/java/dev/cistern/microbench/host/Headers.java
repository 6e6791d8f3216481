/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.Map;

/** Sets headers, finds them by names in different case, copies them, and iterates over them. */
public class Headers extends Workload {
  private static final int OWN = 16;

  private final String[] names = new String[OWN];
  private final String[] values = new String[OWN];

  @Override
  void open() {
    for (int own = 0; own < OWN; own++) {
      names[own] = "X-Application-Header-" + own;
      values[own] = "value " + own * 31;
    }
  }

  private HttpHeaders make() {
    HttpHeaders headers = new DefaultHttpHeaders();
    headers.set(HttpHeaderNames.HOST, "shop.example.org");
    headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    headers.set(HttpHeaderNames.ACCEPT_ENCODING, "gzip, deflate");
    for (int own = 0; own < OWN; own++) {
      headers.add(names[own], values[own]);
    }
    headers.setInt(HttpHeaderNames.CONTENT_LENGTH, 17);
    headers.remove("x-application-header-3");
    return headers.copy();
  }

  @Override
  int operate() {
    HttpHeaders headers = make();
    int sum = headers.getInt(HttpHeaderNames.CONTENT_LENGTH, 0);
    for (String name : names) {
      sum += headers.contains(name) ? 1 : 0;
    }
    sum += headers.containsValue("connection", HttpHeaderValues.KEEP_ALIVE, true) ? 1 : 0;
    Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
    while (all.hasNext()) {
      sum += all.next().getValue().length();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    into.add(make().toString());
    into.add(operate());
  }
}
