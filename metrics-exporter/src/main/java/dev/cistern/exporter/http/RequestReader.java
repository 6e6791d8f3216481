/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.impl.io.AbstractMessageParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.message.RequestLine;
import org.apache.hc.core5.util.CharArrayBuffer;

/**
 * Reader of the requests of one connection. Because no page needs a body, a request with a body is
 * the last of its connection, and the body is not read.
 */
final class RequestReader {
  /** Maximum number of characters in the request line, and in all headers together. */
  private static final int MAX_CHARS = 16 << 10;

  private static final int BUFFER_BYTES = 8 << 10;

  /**
   * Maximum number of bytes read for a request, including the bytes of the next one in the buffer.
   */
  private static final int MAX_READ_BYTES = 2 * MAX_CHARS + BUFFER_BYTES;

  private static final int MAX_HEADERS = 200;
  private static final int MAX_BLANK_LINES = 10;

  /** Number of characters of a header besides its name and its value. */
  private static final int CHARS_OF_HEADER = 4;

  private static final int URI_TOO_LONG = 414;
  private static final int HEADERS_TOO_LARGE = 431;

  private final SessionInputBufferImpl buffer = new SessionInputBufferImpl(BUFFER_BYTES, MAX_CHARS);
  private final LimitedInput in;
  private final HttpConnection.Encrypted client;
  private final Peer peer;
  private boolean mayKeepConnection;
  private boolean hasUnread;

  /** Input stream that fails after reading more bytes than one request may have. */
  private static final class LimitedInput extends FilterInputStream {
    private int left = MAX_READ_BYTES;
    private boolean hasEnded;

    LimitedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left <= 0) {
        throw new MessageConstraintException("the request is too large");
      }
      int read = super.read(into, offset, Math.min(length, left));
      hasEnded = read < 0;
      left -= Math.max(0, read);
      return read;
    }
  }

  RequestReader(HttpConnection.Encrypted client, Peer peer) throws IOException {
    this.client = client;
    this.peer = peer;
    this.in = new LimitedInput(client.socket().getInputStream());
  }

  /**
   * Waits for the first byte of a request. Returns false if the client closes the connection
   * instead.
   */
  boolean awaitRequest() throws IOException {
    in.left = MAX_READ_BYTES;
    return buffer.hasBufferedData() || buffer.fillBuffer(in) > 0;
  }

  /** Returns whether another request may follow the last one. */
  boolean mayKeepConnection() {
    return mayKeepConnection;
  }

  /** Returns whether the client may have sent data that was not read. */
  boolean hasUnread() {
    return hasUnread || buffer.hasBufferedData();
  }

  /**
   * Reads a request without its body.
   *
   * @throws MalformedRequestException if the request is invalid or exceeds a limit
   * @throws IOException if the connection has ended
   */
  Request read() throws IOException, MalformedRequestException {
    hasUnread = true;
    RequestLine line = readLine();
    Map<String, List<String>> headers = readHeaders();
    if (line.getProtocolVersion().getMajor() != HttpVersion.HTTP_1_1.getMajor()) {
      throw new MalformedRequestException(Response.BAD_REQUEST, "This server speaks HTTP/1.1.");
    }
    boolean hasBody =
        headers.containsKey("Transfer-Encoding")
            || headers.getOrDefault("Content-Length", List.of()).stream()
                .anyMatch(length -> !length.equals("0"));
    hasUnread = hasBody;
    mayKeepConnection =
        !hasBody
            && line.getProtocolVersion().greaterEquals(HttpVersion.HTTP_1_1)
            && headers.getOrDefault("Connection", List.of()).stream()
                .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    boolean isHttp10 = line.getProtocolVersion().equals(HttpVersion.HTTP_1_0);
    return new Request(line.getMethod(), uri(line), headers, peer, client.session(), isHttp10);
  }

  private RequestLine readLine() throws IOException, MalformedRequestException {
    CharArrayBuffer line = new CharArrayBuffer(128);
    try {
      for (int blank = 0; line.isEmpty() && blank <= MAX_BLANK_LINES; blank++) {
        line.clear();
        if (buffer.readLine(line, in) < 0) {
          throw new EOFException("the client has ended the connection");
        }
      }
      return BasicLineParser.INSTANCE.parseRequestLine(line);
    } catch (MessageConstraintException e) {
      throw new MalformedRequestException(
          URI_TOO_LONG, "The path and its query may have up to " + limit());
    } catch (ParseException e) {
      throw new MalformedRequestException(Response.BAD_REQUEST, "The request line is malformed.");
    }
  }

  private Map<String, List<String>> readHeaders() throws IOException, MalformedRequestException {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    int chars = 0;
    try {
      for (Header header :
          AbstractMessageParser.parseHeaders(
              buffer, in, MAX_HEADERS, MAX_CHARS, BasicLineParser.INSTANCE)) {
        String value = header.getValue() == null ? "" : header.getValue();
        headers.computeIfAbsent(header.getName(), name -> new ArrayList<>(1)).add(value);
        chars += header.getName().length() + value.length() + CHARS_OF_HEADER;
      }
    } catch (MessageConstraintException e) {
      throw headersTooLarge();
    } catch (HttpException e) {
      throw new MalformedRequestException(Response.BAD_REQUEST, "A header is malformed.");
    }
    if (in.hasEnded) {
      // The parser treats the end of the connection as the end of the headers.
      throw new EOFException("the client has ended the connection");
    }
    if (chars > MAX_CHARS) {
      throw headersTooLarge();
    }
    return headers;
  }

  private static MalformedRequestException headersTooLarge() {
    return new MalformedRequestException(
        HEADERS_TOO_LARGE, "All headers together may have up to " + limit());
  }

  private static String limit() {
    return MAX_CHARS + " characters.";
  }

  private static URI uri(RequestLine line) throws MalformedRequestException {
    try {
      return new URI(line.getUri());
    } catch (URISyntaxException e) {
      throw new MalformedRequestException(Response.BAD_REQUEST, "The path is malformed.");
    }
  }
}
