/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

/** Thrown if a copy cannot be served. The inventory shows the message as the reason. */
final class ActivationException extends Exception {
  private static final long serialVersionUID = 1;

  ActivationException(String reason) {
    super(reason);
  }

  ActivationException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
