/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

/**
 * All responses of the server. Each event loop has a separate instance, because the date in them
 * changes.
 */
final class Responses {
  /** The maximum size of a response, in bytes. */
  static final int MAX_BYTES = 256;

  private static final int MILLIS_PER_SECOND = 1_000;

  final Response plaintext = new Response("200 OK", "Hello, World!", false);
  final Response lastPlaintext = new Response("200 OK", "Hello, World!", true);
  final Response notFound = new Response("404 Not Found", "", false);
  final Response lastNotFound = new Response("404 Not Found", "", true);
  final Response badRequest = new Response("400 Bad Request", "", true);
  final Response headTooLarge = new Response("431 Request Header Fields Too Large", "", true);
  final Response notImplemented = new Response("501 Not Implemented", "", true);

  private final Response[] all = {
    plaintext, lastPlaintext, notFound, lastNotFound, badRequest, headTooLarge, notImplemented
  };
  private long dateSecond = -1;

  /** Updates the date if a new second has begun. */
  void tick(long epochMillis) {
    long second = epochMillis / MILLIS_PER_SECOND;
    if (second != dateSecond) {
      dateSecond = second;
      byte[] date = HttpDate.format(second);
      for (Response response : all) {
        response.setDate(date);
      }
    }
  }
}
