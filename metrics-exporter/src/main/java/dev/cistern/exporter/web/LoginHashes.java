/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The hashes that {@link PasswordCheck} computes. Tests count them. */
class LoginHashes {
  /** Maximum length of a password. bcrypt ignores further bytes. */
  private static final int MAX_BCRYPT_BYTES = 72;

  private static final String MAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final SecretKeySpec key;

  LoginHashes() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    key = new SecretKeySpec(random, MAC);
  }

  /** Returns the digest of a text under a key of this object. */
  byte[] digest(byte[] text) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(key);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + MAC, e);
    }
  }

  /**
   * Returns whether a bcrypt hash is that of a password. The time is proportional to 2 to the power
   * of its cost.
   */
  boolean isHashOf(String hash, byte[] password) {
    byte[] known =
        password.length > MAX_BCRYPT_BYTES ? Arrays.copyOf(password, MAX_BCRYPT_BYTES) : password;
    return BCrypt.verifyer(
            BCrypt.Version.VERSION_2Y, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2Y))
        .verify(known, hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }
}
