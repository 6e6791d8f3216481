/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * The login at a receiver. With a user, it is HTTP's basic authentication (RFC 7617) with the
 * content of the file as the password. Without a user, it is a bearer token (RFC 6750).
 *
 * @param user the user; empty for a bearer token
 * @param tokenFile the file with the token or password, of up to 8 KiB. It is read for each push,
 *     so that a new token needs no restart. White space around the token is ignored
 */
public record PushCredentials(String user, Path tokenFile) {
  private static final int MAX_BYTES = 8 << 10;

  /**
   * @throws IllegalArgumentException if the user contains a colon or a control character
   */
  public PushCredentials {
    if (user.chars().anyMatch(c -> c == ':' || Character.isISOControl(c))) {
      throw new IllegalArgumentException(
          "user: '...' (expected: printable characters without a colon)");
    }
  }

  /**
   * Returns the value of the header {@code Authorization}.
   *
   * @throws IOException if the file has no token; the message does not contain its content
   */
  String header() throws IOException {
    String token = token();
    if (!user.isEmpty()) {
      byte[] login = (user + ':' + token).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(login);
    }
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IOException(
          "tokenFile '" + tokenFile + "': not a token of visible ASCII characters");
    }
    return "Bearer " + token;
  }

  private String token() throws IOException {
    // Reading a pipe would block the thread.
    if (!Files.isRegularFile(tokenFile) || Files.size(tokenFile) > MAX_BYTES) {
      throw new IOException(
          "tokenFile '" + tokenFile + "': not a file of up to " + MAX_BYTES + " bytes");
    }
    String token;
    try {
      token = Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new IOException(
          "tokenFile '" + tokenFile + "': cannot be read: " + e.getClass().getSimpleName(), e);
    }
    if (token.isEmpty()) {
      throw new IOException("tokenFile '" + tokenFile + "': empty");
    }
    return token;
  }
}
