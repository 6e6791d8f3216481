/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Compares passwords with bcrypt hashes, whose computation is slow on purpose, in a process that
 * has other work to do: one at a time, few that wait for it, of each client address fewer, and not
 * again for what was right before.
 */
final class PasswordCheck {
  private static final int MAX_WAITING = 7;

  /** Behind a proxy, several honest ones may log in at a time. */
  private static final int MOST_OF_A_CLIENT = 3;

  /** Of an address of version 6, that which a provider gives to one customer. */
  private static final int NETWORK_BYTES = 8;

  private static final long MAX_WAIT_MILLIS = 1_000;
  private static final int MAX_REMEMBERED = 100;
  private static final int MAX_HEADER = 4_096;
  private static final int MAX_BCRYPT_BYTES = 72;
  private static final String MAC = "HmacSHA256";

  /** One that computes, and those that wait for it. */
  private final Semaphore places = new Semaphore(1 + MAX_WAITING);

  /** Whose passwords are compared, or wait for it, and how many of each. */
  private final Map<ByteBuffer, Integer> clients = new ConcurrentHashMap<>();

  private final Semaphore computing = new Semaphore(1, true);
  private final SecretKeySpec secret;

  /** Digests of what was right, latest used last. Guarded by itself. */
  private final Map<String, Boolean> right = new LinkedHashMap<>(16, 0.75f, true);

  /** What came of a comparison. */
  enum Outcome {
    RIGHT,
    WRONG,
    /** Not compared, since too many others are. */
    BUSY
  }

  private record Login(String user, String password) {}

  PasswordCheck() {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    secret = new SecretKeySpec(random, MAC);
  }

  /** Whether what a client sent was right before, and still is. */
  boolean isRemembered(List<String> authorization, Map<String, String> users) {
    Login login = login(authorization);
    String hash = login == null ? null : users.get(login.user());
    return login != null && hash != null && isRight(digest(login, hash));
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
    String hash = users.get(login.user());
    String digest = digest(login, hash == null ? "" : hash);
    if (hash != null && isRight(digest)) {
      return Outcome.RIGHT;
    }
    // For a user that is not there as much is computed, so that the time does not tell.
    Outcome outcome = compareInTurn(login.password(), hash == null ? slowest(users) : hash, client);
    if (outcome != Outcome.RIGHT) {
      return outcome;
    }
    if (hash == null) {
      return Outcome.WRONG;
    }
    remember(digest);
    return Outcome.RIGHT;
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

  /** The cost stands at a fixed place, with two digits. */
  private static String slowest(Map<String, String> users) {
    return users.values().stream()
        .max(Comparator.comparing(hash -> hash.substring(4, 6)))
        .orElseThrow();
  }

  /** Else one client with wrong passwords would lock out all others that log in anew. */
  private Outcome compareInTurn(String password, String hash, InetAddress client) {
    byte[] address = client.getAddress();
    ByteBuffer network = ByteBuffer.wrap(address, 0, Math.min(address.length, NETWORK_BYTES));
    try {
      return clients.merge(network, 1, Integer::sum) > MOST_OF_A_CLIENT
          ? Outcome.BUSY
          : compare(password, hash);
    } finally {
      clients.computeIfPresent(network, (same, count) -> count == 1 ? null : count - 1);
    }
  }

  private Outcome compare(String password, String hash) {
    if (!places.tryAcquire()) {
      return Outcome.BUSY;
    }
    try {
      if (!computing.tryAcquire(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        return Outcome.BUSY;
      }
      try {
        return isRight(password, hash) ? Outcome.RIGHT : Outcome.WRONG;
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

  private static boolean isRight(String password, String hash) {
    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
    // bcrypt itself knows no more of a password.
    byte[] known = bytes.length > MAX_BCRYPT_BYTES ? Arrays.copyOf(bytes, MAX_BCRYPT_BYTES) : bytes;
    return BCrypt.verifyer(
            BCrypt.Version.VERSION_2Y, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2Y))
        .verify(known, hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  private void remember(String digest) {
    synchronized (right) {
      right.put(digest, true);
      if (right.size() > MAX_REMEMBERED) {
        right.remove(right.keySet().iterator().next());
      }
    }
  }

  /** Of all that makes a login right, so that another password or hash needs another comparison. */
  private String digest(Login login, String hash) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(secret);
      for (String part : List.of(hash, login.user(), login.password())) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        mac.update(Integer.toString(bytes.length).getBytes(StandardCharsets.US_ASCII));
        mac.update((byte) ':');
        mac.update(bytes);
      }
      return Base64.getEncoder().encodeToString(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + MAC, e);
    }
  }
}
