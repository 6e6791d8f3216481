/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

/** Life-cycle state of a Netty copy. {@link Transition} lists all changes of it. */
public enum NettyCopyState {
  /** The copy was found. It contains nothing of the agent. */
  FOUND,
  /** Hook classes and bridge are defined. The copy runs its own code. */
  INSTALLED,
  /** A mode is requested, and the host has not allocated its first buffer yet. */
  WAITING,
  /** The target mode is in force. */
  ACTIVE,
  /** The pool serves nothing for a limited time after faults or failed self-tests. */
  BACKED_OFF,
  /** Off. The classes stay instrumented until no buffer of the pool is in use. */
  DRAINING,
  /** The agent cannot serve or observe the copy. */
  REFUSED
}
