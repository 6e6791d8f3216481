/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import io.netty.handler.codec.http.cookie.DefaultCookie;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import io.netty.handler.codec.http.cookie.ServerCookieEncoder;
import java.util.Set;

/** Reads and sets cookies as a server, and reads them as its client. */
public class Cookies extends Workload {
  private static final String SENT =
      "session=0123456789abcdef0123456789abcdef; basket=17; language=en-GB; "
          + "preferences=a%3D1%26b%3D2; seen=1773051072; empty=";

  @Override
  void open() {}

  /**
   * Sets a cookie of the client again; without an age, because an expiry date would depend on the
   * current time.
   */
  private static String set(Cookie sent) {
    Cookie cookie = new DefaultCookie(sent.name(), sent.value());
    cookie.setPath("/shop");
    cookie.setDomain("shop.example.org");
    cookie.setHttpOnly(true);
    cookie.setSecure(true);
    return ServerCookieEncoder.STRICT.encode(cookie);
  }

  @Override
  int operate() {
    Set<Cookie> sent = ServerCookieDecoder.STRICT.decode(SENT);
    int sum = 0;
    for (Cookie cookie : sent) {
      Cookie read = ClientCookieDecoder.STRICT.decode(set(cookie));
      sum += read == null ? 0 : read.value().length() + (int) read.maxAge();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    for (Cookie cookie : ServerCookieDecoder.STRICT.decode(SENT)) {
      String text = set(cookie);
      into.add(text);
      into.add(String.valueOf(ClientCookieDecoder.STRICT.decode(text)));
    }
  }
}
