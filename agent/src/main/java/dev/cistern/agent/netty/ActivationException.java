/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

/** A copy that cannot be served; the message is the reason that the inventory shows. */
final class ActivationException extends Exception {
  private static final long serialVersionUID = 1;

  ActivationException(String reason) {
    super(reason);
  }

  ActivationException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
