/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

/** Thrown if another JVM did not execute a request; the message names the JVM and the cause. */
class HostException extends Exception {
  private static final long serialVersionUID = 1;

  /** Thrown if the JVM cannot be reached by attaching or by JMX. */
  static final class Unreachable extends HostException {
    private static final long serialVersionUID = 1;

    Unreachable(String message) {
      super(message);
    }

    Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Thrown if the agent has left the JVM. */
  static final class Left extends HostException {
    private static final long serialVersionUID = 1;

    Left() {
      super("the agent has left the JVM");
    }
  }

  HostException(String message) {
    super(message);
  }

  HostException(String message, Throwable cause) {
    super(message + ": " + reason(cause), cause);
  }

  /** Returns the message of the innermost cause, which is the most specific one. */
  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause();
    String message = failure.getMessage();
    return cause != null ? reason(cause) : message == null ? failure.toString() : message;
  }
}
