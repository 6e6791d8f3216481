/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

/** Thrown if the bytes from a client are not a valid request. */
final class MalformedRequestException extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String line;

  /**
   * Creates the exception.
   *
   * @param status the HTTP status code of the response
   * @param line the cause, for the client
   */
  MalformedRequestException(int status, String line) {
    super(line);
    this.status = status;
    this.line = line;
  }

  /** Returns whether the request is larger than the limits. */
  boolean isTooLarge() {
    return status != Response.BAD_REQUEST;
  }

  /** Returns the response, without the headers that all responses have. */
  Response response() {
    return Response.line(status, line);
  }
}
