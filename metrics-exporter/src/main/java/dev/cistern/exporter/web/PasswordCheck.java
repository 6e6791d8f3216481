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
 * Compares passwords with bcrypt hashes, whose computation is slow on purpose. To protect the host,
 * it computes one hash at a time. It limits the waiting requests, and has a lower limit for each
 * client address. Passwords that were right before are not compared again.
 *
 * <p>The time of a refusal does not reveal whether the user exists: each wrong login costs as much
 * as one comparison with the most expensive hash, and has the same limits. A user that does not
 * exist has a decoy in place of a hash. Only a right password takes another time.
 */
final class PasswordCheck {
  private static final int MAX_WAITING = 7;

  /**
   * Limit per client address. It is above 1, because several users behind a proxy may log in at a
   * time.
   */
  private static final int MAX_PER_CLIENT = 3;

  /** Number of bytes of an IPv6 address that a provider assigns to one customer. */
  private static final int NETWORK_BYTES = 8;

  private static final long MAX_WAIT_MILLIS = 1_000;
  private static final int MAX_REMEMBERED = 100;
  private static final int MAX_HEADER = 4_096;

  /** Salt and digest of the decoys: zeros. */
  private static final String DECOY = ".".repeat(53);

  /** Permits of the computing request and of those that wait for it. */
  private final Semaphore places = new Semaphore(1 + MAX_WAITING);

  /** Number of requests that compute or wait, by client network. */
  private final Map<ByteBuffer, Integer> clients = new ConcurrentHashMap<>();

  private final Semaphore computing = new Semaphore(1, true);
  private final LoginHashes hashes;

  /** Digests of right passwords, the latest used last. Guarded by itself. */
  private final Map<String, Boolean> right = new LinkedHashMap<>(16, 0.75f, true);

  /** Result of a comparison. */
  enum Outcome {
    RIGHT,
    WRONG,
    /** Not compared, because too many requests compute or wait. */
    BUSY
  }

  private record Login(String user, String password) {}

  PasswordCheck(LoginHashes hashes) {
    this.hashes = hashes;
  }

  /** Returns whether the login was right before, and still is. */
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
   * Compares the password of a request.
   *
   * @param authorization the values of all its {@code Authorization} lines
   * @param users bcrypt hashes by name; at least one
   * @param client address of the client
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

  /** Returns the hash of a user, or a decoy for a user that does not exist. */
  private static String hash(Login login, Map<String, String> users) {
    return users.getOrDefault(login.user(), decoy(maxCost(users)));
  }

  /** Returns a hash that takes as long as any other of its cost, but has no known password. */
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

  /** Returns the name of the user in a request, or null if there is none. */
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

  /**
   * Compares within the limit of a client. Otherwise a client with wrong passwords would prevent
   * all new logins of other clients.
   */
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
   * Returns whether the password is right. If it is wrong, continues until the cost is the highest:
   * the comparisons of the costs c, c, c + 1, ... m - 1 take as long as one of the cost m.
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

  /**
   * Returns a digest of hash, user and password. A change of any of them requires a new comparison.
   */
  private String digest(Login login, String hash) {
    StringBuilder parts = new StringBuilder();
    for (String part : List.of(hash, login.user(), login.password())) {
      parts.append(part.length()).append(':').append(part);
    }
    byte[] bytes = parts.toString().getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(hashes.digest(bytes));
  }
}
