/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import static dev.cistern.exporter.web.PasswordCheck.Outcome.BUSY;
import static dev.cistern.exporter.web.PasswordCheck.Outcome.RIGHT;
import static dev.cistern.exporter.web.PasswordCheck.Outcome.WRONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import at.favre.lib.crypto.bcrypt.BCrypt;
import dev.cistern.exporter.web.PasswordCheck.Outcome;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordCheckTest {
  private static final Map<String, String> USERS =
      Map.of("alice", hash("wonderland", 4), "bob", hash("größe", 4));

  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  private final CountedHashes hashes = new CountedHashes();
  private final PasswordCheck check = new PasswordCheck(hashes);

  /** Hashes that count what a client could notice by the duration. */
  private static final class CountedHashes extends LoginHashes {
    private final AtomicInteger digests = new AtomicInteger();
    private final AtomicLong rounds = new AtomicLong();

    @Override
    byte[] digest(byte[] text) {
      digests.incrementAndGet();
      return super.digest(text);
    }

    @Override
    boolean isHashOf(String hash, byte[] password) {
      rounds.addAndGet(1L << Integer.parseInt(hash, 4, 6, 10));
      return super.isHashOf(hash, password);
    }
  }

  static String hash(String password, int cost) {
    return BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(cost, password.toCharArray());
  }

  private static List<String> basic(String pair) {
    byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
    return List.of("Basic " + Base64.getEncoder().encodeToString(bytes));
  }

  @Test
  void theRightPasswordIsRightAgainAndAgain() {
    for (int i = 0; i < 3; i++) {
      assertThat(check.check(basic("alice:wonderland"), USERS, HERE)).isEqualTo(RIGHT);
      assertThat(check.check(basic("bob:größe"), USERS, HERE)).isEqualTo(RIGHT);
      assertThat(check.check(basic("alice:Wonderland"), USERS, HERE)).isEqualTo(WRONG);
      assertThat(check.check(basic("alice:größe"), USERS, HERE)).isEqualTo(WRONG);
      assertThat(check.check(basic("eve:wonderland"), USERS, HERE)).isEqualTo(WRONG);
    }
  }

  @Test
  void hashesThatOtherToolsMadeAreUnderstood() {
    // htpasswd -nbBC 5 and the tests of other implementations write these for the same password.
    String y = "$2y$05$bvIG6Nmid91Mu9RcmmWZfO5HJIMCT8riNW0hEp8f6/FuA2/mHZFpe";
    assertThat(check.check(basic("u:U*U*U*U*"), Map.of("u", y), HERE)).isEqualTo(WRONG);
    String a = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    assertThat(check.check(basic("u:U*U"), Map.of("u", a), HERE)).isEqualTo(RIGHT);
    assertThat(check.check(basic("u:U*U"), Map.of("u", a.replace("$2a", "$2y")), HERE))
        .isEqualTo(RIGHT);
  }

  @Test
  void aPasswordThatWasChangedIsNoLongerRight() {
    assertThat(check.check(basic("alice:wonderland"), USERS, HERE)).isEqualTo(RIGHT);
    Map<String, String> changed = Map.of("alice", hash("looking-glass", 4));
    assertThat(check.check(basic("alice:wonderland"), changed, HERE)).isEqualTo(WRONG);
    assertThat(check.check(basic("alice:wonderland"), Map.of("bob", hash("x", 4)), HERE))
        .isEqualTo(WRONG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Basic",
        "Basic ",
        "Bearer abc",
        "Basic !!!",
        "Basic YWxpY2U=",
        "Digest username=alice",
        "Basic YWxpY2U6d29uZGVybGFuZA== x"
      })
  void malformedLoginsAreWrong(String header) {
    assertThat(check.check(List.of(header), USERS, HERE)).isEqualTo(WRONG);
  }

  @Test
  void noneAndSeveralLoginsAreWrong() {
    List<String> right = basic("alice:wonderland");
    assertThat(check.check(List.of(), USERS, HERE)).isEqualTo(WRONG);
    assertThat(check.check(List.of(right.get(0), right.get(0)), USERS, HERE)).isEqualTo(WRONG);
    assertThat(check.check(basic("alice:" + "x".repeat(100_000)), USERS, HERE)).isEqualTo(WRONG);
    assertThat(check.check(basic("alice:" + "x".repeat(100)), USERS, HERE)).isEqualTo(WRONG);
    assertThat(check.check(List.of("basic " + right.get(0).substring(6)), USERS, HERE))
        .isEqualTo(RIGHT);
  }

  @Test
  void manyWrongPasswordsAreNotAllComparedAndARightOneStillPasses() throws Exception {
    Map<String, String> users = Map.of("alice", hash("wonderland", 11));
    assertThat(check.check(basic("alice:wonderland"), users, HERE)).isEqualTo(RIGHT);
    ExecutorService clients = Executors.newFixedThreadPool(24);
    try {
      List<CompletableFuture<Outcome>> wrong = new ArrayList<>();
      IntStream.range(0, 24)
          .forEach(
              i ->
                  wrong.add(
                      CompletableFuture.supplyAsync(
                          () -> check.check(basic("alice:guess" + i), users, HERE), clients)));
      long start = System.nanoTime();
      assertThat(check.check(basic("alice:wonderland"), users, HERE)).isEqualTo(RIGHT);
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(3));
      List<Outcome> outcomes = new ArrayList<>();
      for (CompletableFuture<Outcome> one : wrong) {
        outcomes.add(one.get(30, TimeUnit.SECONDS));
      }
      assertThat(outcomes).containsOnly(WRONG, BUSY);
      assertThat(outcomes.stream().filter(outcome -> outcome == WRONG).count()).isBetween(1L, 12L);
    } finally {
      clients.shutdownNow();
    }
  }

  @Test
  void aClientThatGuessesPasswordsDoesNotLockOutANewLoginFromElsewhere() throws Exception {
    Map<String, String> users = Map.of("alice", hash("wonderland", 8));
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger busy = new AtomicInteger();
    InetAddress there = InetAddress.getByName("2001:db8:0:1::1");
    ExecutorService clients = Executors.newFixedThreadPool(12);
    try {
      for (int i = 0; i < 12; i++) {
        InetAddress from = i % 2 == 0 ? HERE : InetAddress.getByName("2001:db8::" + i);
        clients.execute(
            () -> {
              while (!ended.get()) {
                if (check.check(basic("alice:guess"), users, from) == BUSY) {
                  busy.incrementAndGet();
                  LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
              }
            });
      }
      await().until(() -> busy.get() > 100);
      assertThat(checkInTurn(basic("alice:wonderland"), users, there)).isEqualTo(RIGHT);
    } finally {
      ended.set(true);
      clients.shutdownNow();
    }
  }

  /**
   * Repeats a check that had a place but waited a second without getting its turn, as on a machine
   * under load. A check without a place returns at once that the server is busy.
   */
  private Outcome checkInTurn(List<String> login, Map<String, String> users, InetAddress client) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      long start = System.nanoTime();
      Outcome outcome = check.check(login, users, client);
      long end = System.nanoTime();
      if (outcome != BUSY || end - start < TimeUnit.SECONDS.toNanos(1) || end > deadline) {
        return outcome;
      }
    }
  }

  @Test
  void behindTheSameProxyAClientThatGuessesDoesNotLockOutAnother() throws Exception {
    Map<String, String> users = Map.of("alice", hash("wonderland", 8));
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger guesses = new AtomicInteger();
    Thread guessing =
        new Thread(
            () -> {
              while (!ended.get()) {
                check.check(basic("alice:guess"), users, HERE);
                guesses.incrementAndGet();
              }
            });
    guessing.start();
    try {
      await().until(() -> guesses.get() > 3);
      assertThat(check.check(basic("alice:wonderland"), users, HERE)).isEqualTo(RIGHT);
    } finally {
      ended.set(true);
      guessing.join();
    }
  }

  @Test
  void eachWrongLoginCostsAsMuchAsOneOfTheSlowestHash() {
    Map<String, String> users =
        Map.of("alice", hash("wonderland", 4), "bob", hash("größe", 7), "carol", hash("x", 9));
    assertThat(check.check(basic("alice:wonderland"), users, HERE)).isEqualTo(RIGHT);
    for (String login : List.of("alice:guess", "bob:guess", "carol:guess", "eve:guess", "eve:x")) {
      for (int i = 0; i < 2; i++) {
        long before = hashes.rounds.get();
        assertThat(check.check(basic(login), users, HERE)).as(login).isEqualTo(WRONG);
        assertThat(hashes.rounds.get() - before).as(login).isEqualTo(1 << 9);
      }
    }
  }

  @Test
  void aRefusalWithoutBcryptHasAConstantCost() {
    for (String login : List.of("alice:guess", "alice:wonderland", "eve:guess")) {
      int before = hashes.digests.get();
      assertThat(check.isRemembered(basic(login), USERS)).isFalse();
      assertThat(hashes.digests.get() - before).as(login).isEqualTo(1);
    }
    assertThat(hashes.rounds.get()).isZero();
  }

  /** If bcrypt refused the decoy at once, it would cost no time, although it is counted. */
  @Test
  void aUserThatIsNotThereTakesAsLongAsOneThatIs() {
    Map<String, String> users = Map.of("alice", hash("wonderland", 8), "bob", hash("x", 5));
    check.check(basic("alice:warm up"), users, HERE);
    long known = nanos(() -> check.check(basic("alice:guess"), users, HERE));
    for (String other : List.of("eve:guess", "bob:guess")) {
      long nanos = nanos(() -> check.check(basic(other), users, HERE));
      assertThat((double) nanos / known).as(other).isBetween(0.2, 5.0);
    }
  }

  private static long nanos(Runnable task) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long start = System.nanoTime();
      task.run();
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }
}
