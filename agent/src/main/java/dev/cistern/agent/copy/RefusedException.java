/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

/** A copy that cannot be served; the message is the reason that the inventory shows. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  RefusedException(String reason) {
    super(reason);
  }

  RefusedException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
