/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static dev.cistern.agent.netty.NettyCopyState.ACTIVE;
import static dev.cistern.agent.netty.NettyCopyState.BACKED_OFF;
import static dev.cistern.agent.netty.NettyCopyState.DRAINING;
import static dev.cistern.agent.netty.NettyCopyState.FOUND;
import static dev.cistern.agent.netty.NettyCopyState.INSTALLED;
import static dev.cistern.agent.netty.NettyCopyState.REFUSED;
import static dev.cistern.agent.netty.NettyCopyState.WAITING;
import static dev.cistern.agent.netty.Step.CHECK;
import static dev.cistern.agent.netty.Step.CLEAR_MODE;
import static dev.cistern.agent.netty.Step.DEFINE_HOOKS;
import static dev.cistern.agent.netty.Step.DROP_BRIDGE;
import static dev.cistern.agent.netty.Step.EMPTY_HOOKS;
import static dev.cistern.agent.netty.Step.HOLD_FIRST_ALLOCATIONS;
import static dev.cistern.agent.netty.Step.INSTRUMENT;
import static dev.cistern.agent.netty.Step.OPEN_BRIDGE;
import static dev.cistern.agent.netty.Step.RESTORE_CLASSES;
import static dev.cistern.agent.netty.Step.SELF_TEST;
import static dev.cistern.agent.netty.Step.SET_MODE;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a copy's state. Each names the states before and after it, its steps, the steps
 * that undo it, and the state of a copy after a step has failed. {@link NettyCopyMachine} chooses
 * and runs them.
 */
@SuppressWarnings("ImmutableEnumChecker") // Set.of() and List.of() are immutable
enum Transition {
  /** The first mode other than off is requested. Undefining classes is impossible. */
  INSTALL(Set.of(FOUND), INSTALLED, List.of(CHECK, DEFINE_HOOKS, OPEN_BRIDGE), List.of(), REFUSED),
  /**
   * A mode is requested before the host's first allocation, or more classes can be instrumented.
   */
  WAIT(
      Set.of(INSTALLED, WAITING),
      WAITING,
      List.of(INSTRUMENT, HOLD_FIRST_ALLOCATIONS),
      List.of(CLEAR_MODE, RESTORE_CLASSES),
      INSTALLED),
  /** The host has allocated a buffer, the mode changes, or more classes can be instrumented. */
  ACTIVATE(
      Set.of(INSTALLED, WAITING, ACTIVE, BACKED_OFF, DRAINING),
      ACTIVE,
      List.of(SELF_TEST, INSTRUMENT, SET_MODE),
      List.of(CLEAR_MODE),
      DRAINING),
  /**
   * The pool had faults, or its self-test failed. Netty's own buffers are observed until the pool
   * serves again.
   */
  BACK_OFF(
      Set.of(INSTALLED, WAITING, ACTIVE, BACKED_OFF, DRAINING),
      BACKED_OFF,
      List.of(INSTRUMENT, SET_MODE),
      List.of(CLEAR_MODE),
      BACKED_OFF),
  /** Off is requested. */
  DEACTIVATE(
      Set.of(ACTIVE, BACKED_OFF), DRAINING, List.of(CLEAR_MODE), List.of(EMPTY_HOOKS), DRAINING),
  /** The copy is off, and no buffer of the pool has been in use for ten seconds. */
  RESTORE(
      Set.of(WAITING, DRAINING),
      INSTALLED,
      List.of(CLEAR_MODE, RESTORE_CLASSES),
      List.of(EMPTY_HOOKS),
      INSTALLED),
  /**
   * The agent detaches, and no memory of the pool is reserved. The hook classes stay, unused. After
   * a failure, the copy stays in its state, and the next attempt starts again.
   */
  DETACH(
      Set.of(FOUND, INSTALLED, DRAINING, REFUSED),
      FOUND,
      List.of(EMPTY_HOOKS, RESTORE_CLASSES, DROP_BRIDGE),
      List.of(),
      null);

  private final Set<NettyCopyState> from;
  private final NettyCopyState to;
  private final List<Step> steps;
  private final List<Step> undo;
  private final @Nullable NettyCopyState afterFailure;

  Transition(
      Set<NettyCopyState> from,
      NettyCopyState to,
      List<Step> steps,
      List<Step> undo,
      @Nullable NettyCopyState afterFailure) {
    this.from = from;
    this.to = to;
    this.steps = steps;
    this.undo = undo;
    this.afterFailure = afterFailure;
  }

  /** Returns the states in which it can begin. */
  Set<NettyCopyState> from() {
    return from;
  }

  /** Returns the state after its last step. */
  NettyCopyState to() {
    return to;
  }

  /** Returns its steps in order. */
  List<Step> steps() {
    return steps;
  }

  /** Returns the steps that run after one of its steps has failed. They may be repeated. */
  List<Step> undo() {
    return undo;
  }

  /** Returns the state after one of its steps has failed; null if it stays the same. */
  @Nullable NettyCopyState afterFailure() {
    return afterFailure;
  }
}
