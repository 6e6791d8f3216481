/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with bcrypt hashes, whose computation is slow on purpose, in a process that
 * has other work to do: one at a time, few that wait for it, of each client address fewer, and not
 * again for what was right before.
 *
 * <p>The time of a refusal does not tell whether the user exists: each wrong login costs as much as
 * one comparison with the most expensive hash, and passes the same limits. A user that does not
 * exist has a decoy in place of a hash. Only a right password takes another time.
 */
final class PasswordCheck {
  private static final int MAX_WAITING = 7;

  /** Behind a proxy, several honest ones may log in at a time. */
  private static final int MAX_PER_CLIENT = 3;

  /** Bytes of an IPv6 address that a provider gives to one customer. */
  private static final int NETWORK_BYTES = 8;

  private static final long MAX_WAIT_MILLIS = 1_000;
  private static final int MAX_REMEMBERED = 100;
  private static final int MAX_HEADER = 4_096;

  /** Salt and digest of the decoys: zeros. */
  private static final String DECOY = ".".repeat(53);

  /** One that computes, and those that wait for it. */
  private final Semaphore places = new Semaphore(1 + MAX_WAITING);

  /** Whose passwords are compared, or wait for it, and how many of each. */
  private final Map<ByteBuffer, Integer> clients = new ConcurrentHashMap<>();

  private final Semaphore computing = new Semaphore(1, true);
  private final LoginHashes hashes;

  /** Digests of what was right, latest used last. Guarded by itself. */
  private final Map<String, Boolean> right = new LinkedHashMap<>(16, 0.75f, true);

  /** Result of a comparison. */
  enum Outcome {
    RIGHT,
    WRONG,
    /** Not compared, since too many others are. */
    BUSY
  }

  private record Login(String user, String password) {}

  PasswordCheck(LoginHashes hashes) {
    this.hashes = hashes;
  }

  /** Whether what a client sent was right before, and still is. */
  boolean isRemembered(List<String> authorization, Map<String, String> users) {
    Login login = login(authorization);
    return login != null && isRight(digest(login, hash(login, users)));
  }

  private boolean isRight(String digest) {
    synchronized (right) {
      return right.get(digest) != null;
    }
  }

  /**
   * Compares what a client sent.
   *
   * @param authorization the values of all its {@code Authorization} lines
   * @param users bcrypt hashes by name; at least one
   * @param client where it is
   */
  Outcome check(List<String> authorization, Map<String, String> users, InetAddress client) {
    Login login = login(authorization);
    if (login == null) {
      return Outcome.WRONG;
    }
    String hash = hash(login, users);
    String digest = digest(login, hash);
    if (isRight(digest)) {
      return Outcome.RIGHT;
    }
    Outcome outcome = compareInTurn(login.password(), hash, maxCost(users), client);
    if (outcome == Outcome.RIGHT) {
      remember(digest);
    }
    return outcome;
  }

  /** Returns the hash of a user, or a decoy for one that does not exist. */
  private static String hash(Login login, Map<String, String> users) {
    return users.getOrDefault(login.user(), decoy(maxCost(users)));
  }

  /** Returns a hash that takes as long as any of its cost, and whose password nobody can know. */
  private static String decoy(int cost) {
    return "$2y$" + (cost < 10 ? "0" : "") + cost + "$" + DECOY;
  }

  private static int maxCost(Map<String, String> users) {
    return users.values().stream().mapToInt(PasswordCheck::cost).max().orElseThrow();
  }

  /** Returns the two digits after the version. */
  private static int cost(String hash) {
    return Integer.parseInt(hash, 4, 6, 10);
  }

  /** Returns the user that a client named, or null if it named none. */
  static @Nullable String user(List<String> authorization) {
    Login login = login(authorization);
    return login == null ? null : login.user();
  }

  private static @Nullable Login login(List<String> authorization) {
    return authorization.size() == 1 ? login(authorization.get(0)) : null;
  }

  private static @Nullable Login login(String header) {
    String[] parts = header.trim().split(" +", 2);
    if (header.length() > MAX_HEADER
        || parts.length < 2
        || !parts[0].toLowerCase(Locale.ROOT).equals("basic")) {
      return null;
    }
    try {
      String pair = new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
      int colon = pair.indexOf(':');
      return colon < 0 ? null : new Login(pair.substring(0, colon), pair.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Else one client with wrong passwords would lock out all others that log in anew. */
  private Outcome compareInTurn(String password, String hash, int maxCost, InetAddress client) {
    byte[] address = client.getAddress();
    ByteBuffer network = ByteBuffer.wrap(address, 0, Math.min(address.length, NETWORK_BYTES));
    try {
      return clients.merge(network, 1, Integer::sum) > MAX_PER_CLIENT
          ? Outcome.BUSY
          : compare(password.getBytes(StandardCharsets.UTF_8), hash, maxCost);
    } finally {
      clients.computeIfPresent(network, (same, count) -> count == 1 ? null : count - 1);
    }
  }

  private Outcome compare(byte[] password, String hash, int maxCost) {
    if (!places.tryAcquire()) {
      return Outcome.BUSY;
    }
    try {
      if (!computing.tryAcquire(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        return Outcome.BUSY;
      }
      try {
        return isRight(password, hash, maxCost) ? Outcome.RIGHT : Outcome.WRONG;
      } finally {
        computing.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.BUSY;
    } finally {
      places.release();
    }
  }

  /**
   * Compares. If the password is wrong, continues until the cost is the highest: the comparisons of
   * the costs c, c, c + 1, ... m - 1 take as long as one of the cost m.
   */
  private boolean isRight(byte[] password, String hash, int maxCost) {
    if (hashes.isHashOf(hash, password)) {
      return true;
    }
    for (int cost = cost(hash); cost < maxCost; cost++) {
      boolean unused = hashes.isHashOf(decoy(cost), password);
    }
    return false;
  }

  private void remember(String digest) {
    synchronized (right) {
      right.put(digest, true);
      if (right.size() > MAX_REMEMBERED) {
        right.remove(right.keySet().iterator().next());
      }
    }
  }

  /** Returns a digest of hash, user and password: a change of any needs a new comparison. */
  private String digest(Login login, String hash) {
    StringBuilder parts = new StringBuilder();
    for (String part : List.of(hash, login.user(), login.password())) {
      parts.append(part.length()).append(':').append(part);
    }
    byte[] bytes = parts.toString().getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(hashes.digest(bytes));
  }
}
