/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.Mode;
import org.jspecify.annotations.Nullable;

/**
 * Moves Netty copies to their target modes by {@link Transition}s. The agent's thread only.
 *
 * <p>A failed step never reaches the host. The machine runs the steps that undo the transition, and
 * the target becomes the next lower mode of swap, observe and off. A request of an operator starts
 * again from the requested mode.
 */
final class NettyCopyMachine {
  /** Operations of the machine on a copy, and conditions of that copy. */
  interface Actions {
    /**
     * Runs a step.
     *
     * @param mode the mode that the transition puts into force
     * @throws Throwable if the step fails
     */
    void run(Step step, NettyCopy copy, Mode mode) throws Throwable;

    /** Returns whether the host has allocated a buffer. The self-test must not run before. */
    boolean hasAllocated(NettyCopy copy);

    /** Returns whether a class that could not be instrumented before is initialized now. */
    boolean canInstrumentMore(NettyCopy copy);

    /** Returns whether the JVM ends. Instrumentation fails then, which is no fault. */
    boolean isEnding(NettyCopy copy);
  }

  /** Receives the changes of copies. */
  interface Listener {
    /**
     * Called after a transition.
     *
     * @param before the mode that was in force before it
     */
    void onChange(NettyCopy copy, Mode before);

    /**
     * Called when a copy cannot have its target mode.
     *
     * @param text what happens instead, and why
     * @param failure the cause, or null if its stack trace adds nothing
     */
    void onFailure(NettyCopy copy, String text, @Nullable Throwable failure);
  }

  /**
   * Limits the transitions of a copy in a round of the agent's thread, which has other work to do.
   */
  private static final int MAX_TRANSITIONS = 10;

  private final Actions actions;
  private final Listener listener;

  NettyCopyMachine(Actions actions, Listener listener) {
    this.actions = actions;
    this.listener = listener;
  }

  /** Runs the transitions that are possible now, until there is none. */
  void advance(NettyCopy copy) {
    for (int i = 0; i < MAX_TRANSITIONS; i++) {
      Transition next = next(copy);
      if (next == null || !run(next, copy)) {
        return;
      }
    }
  }

  private @Nullable Transition next(NettyCopy copy) {
    boolean isOff = copy.targetMode().equals(Mode.OFF);
    return switch (copy.state()) {
      case FOUND -> isOff ? null : Transition.INSTALL;
      case INSTALLED -> isOff ? null : activateOrWait(copy);
      case WAITING -> nextOfWaiting(copy);
      case ACTIVE -> {
        if (isOff) {
          yield Transition.DEACTIVATE;
        }
        boolean isDone = copy.targetMode().equals(copy.mode()) && !actions.canInstrumentMore(copy);
        yield isDone ? null : Transition.ACTIVATE;
      }
      case BACKED_OFF -> {
        if (isOff) {
          yield Transition.DEACTIVATE;
        }
        boolean isDue = !copy.targetMode().swaps() || copy.backOff().isOver();
        yield isDue ? Transition.ACTIVATE : null;
      }
      case DRAINING -> isOff ? (copy.isIdle() ? Transition.RESTORE : null) : Transition.ACTIVATE;
      case REFUSED -> null;
    };
  }

  private Transition activateOrWait(NettyCopy copy) {
    return actions.hasAllocated(copy) ? Transition.ACTIVATE : Transition.WAIT;
  }

  private @Nullable Transition nextOfWaiting(NettyCopy copy) {
    if (!copy.targetMode().equals(copy.awaitedMode())) {
      return Transition.RESTORE;
    }
    if (actions.hasAllocated(copy)) {
      return Transition.ACTIVATE;
    }
    return actions.canInstrumentMore(copy) ? Transition.WAIT : null;
  }

  /**
   * Removes the agent from a copy that is off and has no reserved memory, because the agent
   * detaches.
   *
   * @return whether nothing of the agent is active in the copy
   */
  boolean detach(NettyCopy copy) {
    boolean isPossible = Transition.DETACH.from().contains(copy.state());
    return isPossible && run(Transition.DETACH, copy) && copy.state() == NettyCopyState.FOUND;
  }

  /**
   * Lets Netty serve for a limited time, because the pool of an active copy has had too many
   * faults.
   */
  void backOff(NettyCopy copy, String cause, @Nullable Throwable failure) {
    String reason = "served by Netty for " + copy.backOff().pause() + " s after faults: " + cause;
    copy.isTested(false);
    listener.onFailure(copy, reason, failure);
    copy.backOffReason(reason);
    boolean unused = run(Transition.BACK_OFF, copy);
  }

  /** Runs a transition. Returns false if the JVM ends. */
  private boolean run(Transition transition, NettyCopy copy) {
    Mode before = copy.mode();
    Mode mode = modeOf(transition, copy);
    Step current = transition.steps().get(0);
    try {
      for (Step step : transition.steps()) {
        current = step;
        actions.run(step, copy, mode);
      }
    } catch (Throwable failure) {
      if (actions.isEnding(copy)) {
        return false;
      }
      undo(transition, copy);
      afterFailure(transition, current, copy, failure);
      return true;
    }
    copy.enter(transition.to(), transition == Transition.WAIT ? Mode.OFF : mode);
    if (transition == Transition.RESTORE) {
      copy.addReason("nothing of the agent is left in its classes");
    }
    listener.onChange(copy, before);
    return true;
  }

  private static Mode modeOf(Transition transition, NettyCopy copy) {
    return switch (transition) {
      case INSTALL, DEACTIVATE, RESTORE, DETACH -> Mode.OFF;
      case WAIT, ACTIVATE -> copy.targetMode();
      case BACK_OFF -> copy.observationRefusal() == null ? Mode.OBSERVE : Mode.OFF;
    };
  }

  private void undo(Transition transition, NettyCopy copy) {
    for (Step step : transition.undo()) {
      try {
        actions.run(step, copy, Mode.OFF);
      } catch (Throwable alsoFailed) {
        copy.failed(); // the first failure is the one to report
      }
    }
  }

  private void afterFailure(Transition transition, Step failed, NettyCopy copy, Throwable failure) {
    String reason = Failures.reason(failure);
    NettyCopyState after = transition.afterFailure();
    NettyCopyState state = after == null ? copy.state() : after;
    if (failed == Step.SELF_TEST && testsAgain(copy, failure)) {
      boolean unused = run(Transition.BACK_OFF, copy);
      return;
    }
    copy.failed();
    switch (transition) {
      case BACK_OFF -> copy.enter(state, Mode.OFF);
      case RESTORE -> {
        copy.enter(state, Mode.OFF);
        copy.addReason("its classes keep inactive code of the agent: " + reason);
      }
      case INSTALL, WAIT, ACTIVATE, DEACTIVATE, DETACH -> {
        boolean isNew = !copy.reason().equals(reason);
        copy.lowerTarget(reason, state == NettyCopyState.REFUSED);
        copy.enter(state, Mode.OFF);
        if (isNew) {
          listener.onFailure(copy, "on its own allocator: " + reason, Failures.thrown(failure));
        }
      }
    }
  }

  /** Returns whether a failed self-test is repeated later. */
  private static boolean testsAgain(NettyCopy copy, Throwable failure) {
    boolean isShortOfMemory = failure.getCause() instanceof OutOfMemoryError;
    if (!copy.backOff().mayTestAgain(isShortOfMemory)) {
      return false;
    }
    copy.backOffReason(
        isShortOfMemory
            ? "waits, because its host is short of memory"
            : "its self-test failed and runs again: " + Failures.reason(failure));
    if (!isShortOfMemory) {
      copy.failed();
    }
    return true;
  }
}
