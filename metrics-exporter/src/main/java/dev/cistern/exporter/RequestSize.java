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

  /** Each is about a kilobyte, and lives for half a minute if it is silent. */
  private static final int MAX_CONNECTIONS = 4_096;

  /** Each keeps the buffers of its last request. */
  private static final int MAX_IDLE_CONNECTIONS = 32;

  private static final int LEAST_READERS = 8;
  private static final int MOST_READERS = 48;
  private static final int PART_OF_HEAP = 8;

  /** With this, all readers together take some megabytes. */
  private static final int SMALL_LIMIT = 64 << 10;

  /** The server's buffer is doubled as it grows, and copied at the end. */
  private static final int BYTES_PER_CHAR = 4;

  private static final int DEFAULT_LIMIT_OF_SERVER = 380 << 10;
  private static final String LIMIT_OF_SERVER = "sun.net.httpserver.maxReqHeaderSize";
  private static final int URI_TOO_LONG = 414;
  private static final int HEADERS_TOO_LARGE = 431;

  /** What a header takes beside its name and its value. */
  private static final int CHARS_OF_HEADER = 4;

  private RequestSize() {}

  /**
   * Limits what the JDK's servers of this JVM read before they give up, and how many connections
   * they have: many clients would fill a small heap together. To be called before the first of them
   * starts, by a program that has the JVM to itself. Limits that were set from outside stay.
   */
  public static void limitThisJvm() {
    setIfAbsent(LIMIT_OF_SERVER, Integer.toString(MAX_CHARS_OF_SERVER));
    setIfAbsent("jdk.httpserver.maxConnections", Integer.toString(MAX_CONNECTIONS));
    setIfAbsent("sun.net.httpserver.maxIdleConnections", Integer.toString(MAX_IDLE_CONNECTIONS));
    // Else the end of an answer waits for the client's delayed acknowledgement: 40 ms.
    setIfAbsent("sun.net.httpserver.nodelay", "true");
  }

  private static void setIfAbsent(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /** What the JDK's servers of this JVM read of a request's line and headers; 0 for no limit. */
  static int limitOfServer() {
    return Math.max(0, Integer.getInteger(LIMIT_OF_SERVER, DEFAULT_LIMIT_OF_SERVER));
  }

  /**
   * How many clients may be read from at a time, so that what they send fills but a part of the
   * heap.
   *
   * @param limit characters that each may send; 0 for no limit
   */
  static int readersAtATime(long heapBytes, int limit) {
    if (limit == 0) {
      return LEAST_READERS;
    }
    if (limit <= SMALL_LIMIT) {
      return MOST_READERS;
    }
    long readers = heapBytes / PART_OF_HEAP / ((long) limit * BYTES_PER_CHAR);
    return (int) Math.max(LEAST_READERS, Math.min(MOST_READERS, readers));
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
