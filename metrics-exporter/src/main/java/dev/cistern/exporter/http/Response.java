/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response.
 *
 * @param status the HTTP status code
 * @param contentType the value of the {@code Content-Type} header
 * @param body the whole body, which must not be changed; empty if the body is in {@code zippedBody}
 * @param zippedBody a body that may be large; null if the body is in {@code body}
 * @param headers additional headers
 */
@SuppressWarnings("ArrayRecordComponent") // created once, sent once, never compared
public record Response(
    int status,
    String contentType,
    byte[] body,
    @Nullable ZippedBody zippedBody,
    Map<String, String> headers) {
  /** Content type of bodies that are already compressed, or cannot be compressed. */
  public static final String BINARY = "application/octet-stream";

  /** Content types of bodies. */
  public static final String TEXT = "text/plain; charset=utf-8";

  public static final String JSON = "application/json";
  public static final String HTML = "text/html; charset=utf-8";

  /** Status codes that several pages use. */
  public static final int OK = 200;

  public static final int BAD_REQUEST = 400;
  public static final int FORBIDDEN = 403;
  public static final int NOT_FOUND = 404;
  public static final int TOO_MANY_REQUESTS = 429;
  public static final int INTERNAL_ERROR = 500;
  public static final int UNAVAILABLE = 503;

  private static final int NOT_MODIFIED = 304;

  public static Response ok(String contentType, byte[] body) {
    return new Response(OK, contentType, body, null, Map.of());
  }

  public static Response ok(String contentType, String body) {
    return ok(contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  public static Response ok(String contentType, ZippedBody body) {
    return new Response(OK, contentType, new byte[0], body, Map.of());
  }

  /** Returns the response to a client whose copy is up to date. */
  public static Response notModified() {
    return new Response(NOT_MODIFIED, TEXT, new byte[0], null, Map.of());
  }

  /** Returns a response of one line, for people and for programs that check the status only. */
  public static Response line(int status, String line) {
    byte[] body = (line + "\n").getBytes(StandardCharsets.UTF_8);
    return new Response(status, TEXT, body, null, Map.of());
  }

  /** Returns whether gzip would make the body smaller. */
  boolean isCompressible() {
    return !contentType.equals(BINARY);
  }

  Response withoutBody() {
    return new Response(status, contentType, new byte[0], null, headers);
  }

  public Response with(Map<String, String> more) {
    return new Response(status, contentType, body, zippedBody, more);
  }
}
