/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

/** How far a copy of Netty has come. */
public enum CopyState {
  /** Seen; nothing of ours is in it. */
  FOUND,
  /** All is ready; waits until the host has made its first buffer by itself. */
  WAITING,
  /** In the mode that was wanted, or in one below it for a reason. */
  SETTLED,
  /** Cannot be touched, for a reason. */
  REFUSED
}
