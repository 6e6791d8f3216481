/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every transition of {@link Transition}, with a fault at each of its steps. */
class NettyCopyMachineTest {
  private static final ClassLoader LOADER = NettyCopyMachineTest.class.getClassLoader();

  private final NettyCopy copy = new NettyCopy("io/netty", "io.netty", LOADER);
  private final FakeJvm jvm = new FakeJvm();
  private final List<String> log = new ArrayList<>();
  private final NettyCopyMachine machine = new NettyCopyMachine(jvm, new Recorder());

  /** A JVM that records the effects of the steps, and throws on request. */
  private static final class FakeJvm implements NettyCopyMachine.Actions {
    final List<Step> ran = new ArrayList<>();
    @Nullable Step fault;
    Throwable thrown = new ActivationException("fault");
    boolean hasAllocated;
    boolean canInstrumentMore;
    boolean isEnding;
    boolean isInstrumented;
    boolean isHolding;
    boolean isInstalled;
    Mode served = Mode.OFF;

    @Override
    public void run(Step step, NettyCopy copy, Mode mode) throws Throwable {
      ran.add(step);
      if (step == fault) {
        throw thrown;
      }
      switch (step) {
        case OPEN_BRIDGE -> isInstalled = true;
        case INSTRUMENT -> {
          isInstrumented |= !mode.equals(Mode.OFF);
          canInstrumentMore = false;
        }
        case HOLD_FIRST_ALLOCATIONS -> isHolding = mode.equals(Mode.SWAP);
        case SELF_TEST -> copy.isTested(copy.isTested() || mode.swaps());
        case SET_MODE, CLEAR_MODE, EMPTY_HOOKS -> {
          served = step == Step.SET_MODE ? mode : Mode.OFF;
          isHolding = false;
        }
        case RESTORE_CLASSES -> isInstrumented = false;
        case DROP_BRIDGE -> isInstalled = false;
        case CHECK, DEFINE_HOOKS -> {}
      }
    }

    @Override
    public boolean hasAllocated(NettyCopy copy) {
      return hasAllocated;
    }

    @Override
    public boolean canInstrumentMore(NettyCopy copy) {
      return canInstrumentMore;
    }

    @Override
    public boolean isEnding(NettyCopy copy) {
      return isEnding;
    }
  }

  private final class Recorder implements NettyCopyMachine.Listener {
    @Override
    public void onChange(NettyCopy changed, Mode before) {
      log.add(before + " -> " + changed.mode());
    }

    @Override
    public void onFailure(NettyCopy failed, String text, @Nullable Throwable failure) {
      log.add(text);
    }
  }

  private void request(Mode mode) {
    copy.requestMode(new ModePolicy.Decision(mode, "", ModeSource.JMX, false));
    machine.advance(copy);
  }

  private void awaitIdle() {
    for (int i = 0; i < 10; i++) {
      copy.countIdle(true);
    }
  }

  /** Brings the copy to a state, so that a transition can begin there. */
  private void reach(NettyCopyState state) {
    switch (state) {
      case FOUND -> {}
      case WAITING -> request(Mode.SWAP);
      case INSTALLED -> {
        request(Mode.SWAP);
        request(Mode.OFF);
      }
      case ACTIVE -> {
        jvm.hasAllocated = true;
        request(Mode.SWAP);
      }
      case BACKED_OFF -> {
        reach(NettyCopyState.ACTIVE);
        machine.backOff(copy, "fault", null);
      }
      case DRAINING -> {
        reach(NettyCopyState.ACTIVE);
        request(Mode.OFF);
      }
      case REFUSED -> {
        jvm.fault = Step.CHECK;
        request(Mode.SWAP);
        jvm.fault = null;
      }
    }
    assertThat(copy.state()).isEqualTo(state);
  }

  /** Causes a transition from the current state of the copy. */
  private void trigger(Transition transition) {
    switch (transition) {
      case INSTALL -> request(Mode.SWAP);
      case WAIT -> {
        jvm.canInstrumentMore = copy.state() == NettyCopyState.WAITING;
        request(Mode.SWAP);
      }
      case ACTIVATE -> {
        jvm.hasAllocated = true;
        request(copy.mode().equals(Mode.SWAP) ? Mode.OBSERVE : Mode.SWAP);
      }
      case BACK_OFF -> machine.backOff(copy, "fault", null);
      case DEACTIVATE -> request(Mode.OFF);
      case RESTORE -> {
        awaitIdle();
        request(Mode.OFF);
      }
      case DETACH -> {
        boolean unused = machine.detach(copy);
      }
    }
  }

  private void assertConsistent() {
    assertThat(jvm.served).as("mode in the JVM").isEqualTo(copy.mode());
    assertThat(jvm.isInstrumented || copy.mode().equals(Mode.OFF)).isTrue();
    switch (copy.state()) {
      case FOUND, REFUSED -> assertThat(copy.mode()).isEqualTo(Mode.OFF);
      case INSTALLED -> {
        assertThat(jvm.isInstalled).isTrue();
        assertThat(jvm.isInstrumented).isEqualTo(copy.reason().contains("inactive code"));
        assertThat(copy.mode()).isEqualTo(Mode.OFF);
      }
      case WAITING -> assertThat(jvm.hasAllocated).isFalse();
      case ACTIVE -> assertThat(copy.mode()).isEqualTo(copy.targetMode());
      case BACKED_OFF -> assertThat(copy.mode().swaps()).isFalse();
      case DRAINING -> assertThat(copy.mode()).isEqualTo(Mode.OFF);
    }
    if (copy.state() != NettyCopyState.WAITING) {
      assertThat(jvm.isHolding).as("allocations wait").isFalse();
    }
  }

  static Stream<Arguments> edges() {
    return Stream.of(Transition.values())
        .flatMap(each -> each.from().stream().map(from -> Arguments.of(each, from)));
  }

  static Stream<Arguments> edgesAndFaults() {
    return Stream.of(Transition.values())
        .flatMap(
            each ->
                each.from().stream()
                    .flatMap(
                        from -> each.steps().stream().map(step -> Arguments.of(each, from, step))));
  }

  @ParameterizedTest
  @MethodSource("edges")
  void anEdgeRunsItsStepsInOrder(Transition transition, NettyCopyState from) {
    reach(from);
    jvm.ran.clear();
    trigger(transition);
    List<Step> expected = transition.steps();
    assertThat(jvm.ran.subList(0, expected.size())).isEqualTo(expected);
    assertConsistent();
    if (transition != Transition.INSTALL) { // INSTALL is followed by another transition at once
      assertThat(copy.state()).isEqualTo(transition.to());
      assertThat(jvm.ran).hasSize(expected.size());
    }
  }

  @ParameterizedTest
  @MethodSource("edgesAndFaults")
  void aFaultAtAStepIsUndoneAndTheModeBelowIsInForce(
      Transition transition, NettyCopyState from, Step step) {
    reach(from);
    jvm.ran.clear();
    jvm.fault = step;
    long failures = copy.failures();
    trigger(transition);
    int failed = jvm.ran.indexOf(step);
    assertThat(jvm.ran.subList(0, failed + 1)).isEqualTo(transition.steps().subList(0, failed + 1));
    if (transition.undo().contains(step)) {
      return; // the step is also part of the undo
    }
    assertThat(jvm.ran.subList(failed + 1, failed + 1 + transition.undo().size()))
        .as("the steps that undo the transition")
        .isEqualTo(transition.undo());
    assertThat(copy.failures()).isGreaterThan(failures);
    assertConsistent();
    assertThat(copy.mode().swaps()).isFalse();
    assertThat(copy.reason()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("edgesAndFaults")
  void afterAFaultAnOperatorsRequestBringsTheModeUnlessTheCopyIsRefused(
      Transition transition, NettyCopyState from, Step step) {
    reach(from);
    jvm.fault = step;
    trigger(transition);
    jvm.fault = null;
    jvm.hasAllocated = true;
    request(Mode.SWAP);
    boolean isRefused = copy.state() == NettyCopyState.REFUSED;
    assertThat(isRefused)
        .isEqualTo(transition == Transition.INSTALL || from == NettyCopyState.REFUSED);
    assertThat(copy.mode()).isEqualTo(isRefused ? Mode.OFF : Mode.SWAP);
    assertThat(copy.isBelowRequest()).isEqualTo(isRefused);
    if (!isRefused) {
      assertConsistent();
      assertThat(copy.reason()).isEmpty();
    }
  }

  @Test
  void everyStateIsReachedByATransitionOrIsTheFirst() {
    Set<NettyCopyState> reached = EnumSet.of(NettyCopyState.FOUND);
    for (Transition each : Transition.values()) {
      reached.add(each.to());
      reached.add(each.afterFailure() == null ? each.to() : each.afterFailure());
    }
    assertThat(reached).containsExactlyInAnyOrder(NettyCopyState.values());
  }

  @Test
  void aFailedSwapIsObservedAndAFailedObservationIsOff() {
    jvm.hasAllocated = true;
    jvm.fault = Step.INSTRUMENT; // the fake fails it in each mode
    request(Mode.SWAP);
    assertThat(copy.mode()).isEqualTo(Mode.OFF);
    assertThat(copy.targetMode()).isEqualTo(Mode.OFF);
    assertThat(copy.reason()).isEqualTo("fault");
    assertThat(copy.isBelowRequest()).isTrue();
    assertThat(log).filteredOn(line -> line.contains("fault")).as("logged once").hasSize(1);
  }

  @Test
  void aFailedSelfTestRunsThreeTimesAndThenTheCopyIsObserved() {
    jvm.hasAllocated = true;
    jvm.fault = Step.SELF_TEST;
    request(Mode.SWAP);
    assertThat(copy.state()).isEqualTo(NettyCopyState.BACKED_OFF);
    assertThat(copy.mode()).isEqualTo(Mode.OBSERVE);
    assertThat(copy.reason()).contains("self-test failed").contains("fault");
    copy.backOff().endNow();
    machine.advance(copy);
    assertThat(copy.targetMode()).as("after two tests").isEqualTo(Mode.SWAP);
    copy.backOff().endNow();
    machine.advance(copy);
    assertThat(copy.targetMode()).as("after three").isEqualTo(Mode.OFF); // the fake fails it too
    assertThat(log).filteredOn(line -> line.contains("fault")).isNotEmpty();
  }

  @Test
  void aHostThatIsShortOfMemoryIsNoFault() {
    jvm.hasAllocated = true;
    jvm.fault = Step.SELF_TEST;
    jvm.thrown = new ActivationException("self-test", new OutOfMemoryError("none"));
    request(Mode.SWAP);
    assertThat(copy.reason()).contains("short of memory");
    assertThat(copy.failures()).isZero();
    copy.backOff().endNow();
    jvm.fault = null;
    machine.advance(copy);
    assertThat(copy.mode()).isEqualTo(Mode.SWAP);
  }

  @Test
  void aJvmThatEndsIsNoFault() {
    jvm.isEnding = true;
    jvm.hasAllocated = true;
    jvm.fault = Step.INSTRUMENT;
    request(Mode.SWAP);
    assertThat(copy.failures()).isZero();
    assertThat(copy.isBelowRequest()).isFalse();
    assertThat(log).isEqualTo(List.of("off -> off"));
  }

  @Test
  void aPauseIsLongerEachTimeUntilAModeIsRequested() {
    reach(NettyCopyState.ACTIVE);
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      seconds.add(copy.backOff().pause());
    }
    assertThat(seconds).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 640L, 640L, 640L);
    request(Mode.SWAP);
    assertThat(copy.backOff().isOver()).isTrue();
    assertThat(copy.backOff().pause()).isEqualTo(10);
  }

  @Test
  void aModeOtherThanSwapNeedsNoSelfTestToEndABackOff() {
    reach(NettyCopyState.BACKED_OFF);
    request(Mode.OBSERVE);
    assertThat(copy.state()).isEqualTo(NettyCopyState.ACTIVE);
    assertThat(copy.mode()).isEqualTo(Mode.OBSERVE);
  }

  @Test
  void anotherModeWhileTheHostHasNotAllocatedEndsTheWait() throws Exception {
    reach(NettyCopyState.WAITING);
    assertThat(jvm.isHolding).isTrue();
    request(Mode.OBSERVE);
    assertThat(copy.state()).isEqualTo(NettyCopyState.WAITING);
    assertThat(jvm.isHolding).isFalse();
    assertThat(copy.matches(CopyPattern.of("io.netty"))).isTrue();
  }

  /** The agent's thread has other work, so a condition that stays true must not block it. */
  @Test
  void aRoundEndsAlthoughATransitionIsAlwaysPossible() {
    NettyCopyMachine.Actions endless =
        (NettyCopyMachine.Actions)
            Proxy.newProxyInstance(
                LOADER,
                new Class<?>[] {NettyCopyMachine.Actions.class},
                (proxy, method, arguments) ->
                    method.getName().equals("canInstrumentMore")
                        ? true
                        : method.invoke(jvm, arguments));
    copy.requestMode(new ModePolicy.Decision(Mode.OBSERVE, "", ModeSource.JMX, false));
    new NettyCopyMachine(endless, new Recorder()).advance(copy);
    assertThat(copy.state()).isEqualTo(NettyCopyState.WAITING);
    assertThat(jvm.ran).hasSizeLessThan(30);
  }

  /** Random requests and faults: seed printed on failure, replay with -Dcistern.seed. */
  @Test
  void afterAnyHistoryTheCopyReachesTheRequestedModeOrHasAReason() {
    long seed = Long.getLong("cistern.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<NettyCopyState, Integer> visits = new EnumMap<>(NettyCopyState.class);
    Set<String> modes = new LinkedHashSet<>();
    Mode[] choices = {Mode.SWAP, Mode.OBSERVE, Mode.OFF};
    jvm.hasAllocated = true;
    for (int i = 0; i < 20_000; i++) {
      Step[] steps = {Step.SELF_TEST, Step.INSTRUMENT, Step.SET_MODE};
      jvm.fault = random.nextInt(4) == 0 ? steps[random.nextInt(steps.length)] : null;
      switch (random.nextInt(4)) {
        case 0 -> awaitIdle();
        case 1 -> {
          if (copy.mode().swaps()) {
            machine.backOff(copy, "fault", null);
          }
        }
        default -> request(choices[random.nextInt(choices.length)]);
      }
      machine.advance(copy);
      visits.merge(copy.state(), 1, Integer::sum);
      modes.add(copy.mode().toString());
      String history =
          String.format("seed %d, step %d: %s %s", seed, i, copy.state(), copy.reason());
      assertThat(copy.requestedMode().equals(copy.mode()) || !copy.reason().isEmpty())
          .as(history)
          .isTrue();
      ModeSource source = copy.modeSource();
      assertThat(source == ModeSource.FAILURE || source == ModeSource.BACK_OFF)
          .as("%s, by %s", history, source)
          .isEqualTo(copy.isBelowRequest());
      jvm.fault = null;
      assertConsistent();
    }
    assertThat(visits.keySet())
        .contains(
            NettyCopyState.INSTALLED,
            NettyCopyState.ACTIVE,
            NettyCopyState.BACKED_OFF,
            NettyCopyState.DRAINING);
    assertThat(modes).containsExactlyInAnyOrder("off", "swap", "observe");
  }
}
