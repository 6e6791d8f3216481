/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

/** Another JVM did not do what it was asked for; the message says which and why. */
final class HostException extends Exception {
  private static final long serialVersionUID = 1;

  HostException(String message) {
    super(message);
  }

  HostException(String message, Throwable cause) {
    super(message + ": " + words(cause), cause);
  }

  /** The innermost cause tells most. */
  private static String words(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }
}
