/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import example.app.Content;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A step of a connection, which compares every response with the expected one. */
enum LoadStep {
  PLAINTEXT {
    @Override
    int run(HttpConnection connection) throws IOException {
      checkPlaintext(connection.get("/plaintext"));
      return 1;
    }
  },
  SMALL {
    @Override
    int run(HttpConnection connection) throws IOException {
      return bytes(connection, 700);
    }
  },
  MEDIUM {
    @Override
    int run(HttpConnection connection) throws IOException {
      return bytes(connection, 40_000);
    }
  },
  MEBIBYTE {
    @Override
    int run(HttpConnection connection) throws IOException {
      return bytes(connection, 1 << 20);
    }
  },
  CHUNKED {
    @Override
    int run(HttpConnection connection) throws IOException {
      check(Content.matches(connection.get("/chunked?chunks=8&size=2000").body(), 16_000));
      return 1;
    }
  },
  ECHO {
    @Override
    int run(HttpConnection connection) throws IOException {
      check(Arrays.equals(connection.post("/echo", ECHO_BODY).body(), ECHO_BODY));
      return 1;
    }
  },
  PIPELINED {
    @Override
    int run(HttpConnection connection) throws IOException {
      for (int i = 0; i < PIPELINE; i++) {
        connection.send("GET", "/plaintext", NOTHING);
      }
      for (int i = 0; i < PIPELINE; i++) {
        checkPlaintext(connection.receive());
      }
      return PIPELINE;
    }
  };

  private static final int PIPELINE = 8;
  private static final byte[] NOTHING = new byte[0];
  private static final byte[] ECHO_BODY = Content.bytes(16 << 10);

  /** The requests of a typical web server: mostly small responses, with occasional large ones. */
  private static final LoadStep[] MIX = {
    PLAINTEXT, SMALL, PLAINTEXT, PIPELINED, PLAINTEXT, CHUNKED, SMALL, ECHO,
    PLAINTEXT, MEDIUM, PLAINTEXT, PIPELINED, SMALL, PLAINTEXT, ECHO, MEBIBYTE,
  };

  /** Returns the step at a position. */
  static LoadStep of(long number) {
    return MIX[(int) (number % MIX.length)];
  }

  /**
   * Runs the step.
   *
   * @return number of requests that it made
   * @throws IOException if a response is wrong or does not arrive
   */
  abstract int run(HttpConnection connection) throws IOException;

  private static int bytes(HttpConnection connection, int size) throws IOException {
    check(Content.matches(connection.get("/bytes?size=" + size).body(), size));
    return 1;
  }

  private static void checkPlaintext(@Nullable HttpReply reply) throws IOException {
    check(reply != null && reply.text().equals(Content.PLAINTEXT));
  }

  private static void check(boolean asExpected) throws IOException {
    if (!asExpected) {
      throw new IOException("the server's answer is not what it has to be");
    }
  }
}
