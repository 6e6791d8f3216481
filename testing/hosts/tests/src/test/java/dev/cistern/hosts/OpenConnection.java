/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.hosts;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A connection to a host that stays open, so that the agent sees its channel.
 *
 * @param socket closed with the connection
 * @param streams number of open HTTP/2 streams on the connection
 */
record OpenConnection(Socket socket, int streams) implements AutoCloseable {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_HEADERS = 4;

  /** Opens a connection without a request. */
  static OpenConnection idle(int port) throws IOException {
    return new OpenConnection(new Socket(InetAddress.getLoopbackAddress(), port), 0);
  }

  /** Opens a connection of HTTP/2 with a gRPC call that has no messages and does not end. */
  static OpenConnection withCall(int port, String method) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeBytes(PREFACE);
      frame(out, SETTINGS, 0, 0, new byte[0]);
      frame(out, HEADERS, END_HEADERS, 1, headers(method));
      socket.getOutputStream().write(bytes.toByteArray());
      return new OpenConnection(socket, 1);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] content)
      throws IOException {
    out.writeByte(0);
    out.writeShort(content.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(content);
  }

  /** Encodes the headers of a call: fields of the static table of RFC 7541, and literals. */
  private static byte[] headers(String method) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x83); // :method: POST
    out.write(0x86); // :scheme: http
    out.write(0x04); // :path
    literal(out, method);
    out.write(0x01); // :authority
    literal(out, "localhost");
    out.write(0x0f); // the field 31, content-type: more than the four-bit prefix can hold
    out.write(31 - 0x0f);
    literal(out, "application/grpc");
    out.write(0x00); // a field that is not in the table
    literal(out, "te");
    literal(out, "trailers");
    return out.toByteArray();
  }

  private static void literal(ByteArrayOutputStream out, String text) {
    out.write(text.length());
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
