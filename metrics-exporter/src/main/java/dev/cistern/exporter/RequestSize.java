/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import com.sun.net.httpserver.HttpExchange;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that are larger than an honest one, as RFC 9110 and RFC 6585 have it.
 *
 * <p>The JDK's server has limits of its own, behind which it ends the connection without a word.
 * They hold for all such servers of a JVM, so that only a process of our own changes them.
 */
public final class RequestSize {
  /** Most characters of a path with its query, and of all headers. */
  static final int MAX_CHARS = 16 << 10;

  /** The least that the JDK's server has to take, so that the answers below can be given at all. */
  private static final int MAX_CHARS_OF_SERVER = 2 * MAX_CHARS;

  private static final String LIMIT_OF_SERVER = "sun.net.httpserver.maxReqHeaderSize";
  private static final int URI_TOO_LONG = 414;
  private static final int HEADERS_TOO_LARGE = 431;

  /** What a header takes beside its name and its value. */
  private static final int CHARS_OF_HEADER = 4;

  private RequestSize() {}

  /**
   * Limits what the JDK's servers of this JVM read before they give up: many clients with large
   * headers would fill a small heap together. To be called before the first of them starts, by a
   * program that has the JVM to itself. A limit that was set from outside stays.
   */
  public static void limitThisJvm() {
    if (System.getProperty(LIMIT_OF_SERVER) == null) {
      System.setProperty(LIMIT_OF_SERVER, Integer.toString(MAX_CHARS_OF_SERVER));
    }
  }

  /** The answer to a request that is too large; null for any other. */
  static @Nullable Answer refusal(HttpExchange exchange) {
    if (exchange.getRequestURI().toString().length() > MAX_CHARS) {
      return Answer.line(URI_TOO_LONG, "The path and its query have at most " + limit());
    }
    long chars =
        exchange.getRequestHeaders().entrySet().stream()
            .mapToLong(
                header ->
                    header.getValue().stream()
                        .mapToLong(
                            value -> header.getKey().length() + value.length() + CHARS_OF_HEADER)
                        .sum())
            .sum();
    return chars > MAX_CHARS
        ? Answer.line(HEADERS_TOO_LARGE, "All headers together have at most " + limit())
        : null;
  }

  private static String limit() {
    return MAX_CHARS + " characters here.";
  }
}
