/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.server;

import dev.cistern.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** The complete bytes of one response; the date is updated once a second. */
final class Response {
  private static final String DATE = "\r\nDate: ";

  private final byte[] bytes;
  private final int dateIndex;

  Response(String status, String body, boolean close) {
    String head = "HTTP/1.1 " + status + DATE;
    String all =
        head
            + " ".repeat(HttpDate.BYTES)
            + "\r\nServer: example\r\nContent-Type: text/plain\r\nContent-Length: "
            + body.length()
            + (close ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
            + body;
    bytes = all.getBytes(StandardCharsets.US_ASCII);
    dateIndex = head.length();
  }

  void setDate(byte[] date) {
    System.arraycopy(date, 0, bytes, dateIndex, date.length);
  }

  int length() {
    return bytes.length;
  }

  void writeTo(ByteBuf output) {
    output.writeBytes(bytes);
  }
}
