/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

/** One action of a {@link Transition}. */
enum Step {
  /** Compares the copy's class files with what the bridge needs. Changes nothing. */
  CHECK,
  /** Defines the hook classes in the copy's own packages. They stay as long as the loader. */
  DEFINE_HOOKS,
  /** Creates the bridge in a class loader below the copy's. The hook class holds it. */
  OPEN_BRIDGE,
  /** Uses the pools once, if the mode needs them and they have not passed since the last fault. */
  SELF_TEST,
  /**
   * Instruments the initialized classes of the copy, as far as the mode needs it, in one
   * retransformation. The host's requests for direct memory then also find unused memory of the
   * pools.
   */
  INSTRUMENT,
  /** Lets the host's first allocations wait for the pool, if it is to serve all of them. */
  HOLD_FIRST_ALLOCATIONS,
  /** Puts the mode into force. */
  SET_MODE,
  /** Returns all allocations to Netty. Buffers of the pool stay valid. */
  CLEAR_MODE,
  /**
   * Returns all allocations to Netty without using the bridge. Runs if {@link #CLEAR_MODE} fails.
   */
  EMPTY_HOOKS,
  /** Restores the original code of the copy's classes. */
  RESTORE_CLASSES,
  /** Lets the hook class release the bridge, so that the garbage collector can take it. */
  DROP_BRIDGE
}
