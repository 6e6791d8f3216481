/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;

/** HTTP/2 headers, as browsers send them. */
final class Http2 {
  private Http2() {}

  /** Returns the headers of a number of requests; the values that differ use the dynamic table. */
  static Http2Headers[] requests(int count) {
    Http2Headers[] requests = new Http2Headers[count];
    for (int request = 0; request < count; request++) {
      requests[request] = request(request);
    }
    return requests;
  }

  private static Http2Headers request(int number) {
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method(number % 4 == 3 ? "POST" : "GET")
            .scheme("https")
            .authority("shop.example.org")
            .path("/shop/items/" + number * 7919);
    headers.set("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101");
    headers.set("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    headers.set("accept-language", "en-GB,en;q=0.7,de;q=0.3");
    headers.set("accept-encoding", "gzip, deflate, br");
    headers.set("cookie", "session=0123456789abcdef; basket=" + number);
    headers.set("x-request-id", "00000000-0000-4000-8000-" + (number + 100000000000L));
    return headers;
  }
}
