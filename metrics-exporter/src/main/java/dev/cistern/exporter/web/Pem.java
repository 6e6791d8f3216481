/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reader of certificates and private keys in PEM (RFC 7468). */
final class Pem {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----([^-]*)-----END \\1PRIVATE KEY-----");
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  /** Known kinds of private keys that are not supported. */
  private static final List<String> OTHER_KINDS = List.of("ENCRYPTED", "DSA", "OPENSSH");

  private static final byte[] VERSION_0 = {2, 1, 0};

  /** rsaEncryption, with its null parameter. */
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

  private static final byte[] EC_OID = HexFormat.of().parseHex("06072a8648ce3d0201");
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;

  private Pem() {}

  /** Returns all certificates of a source, in their order; at least one. */
  static List<X509Certificate> certificates(PemSource source) throws WebConfigException {
    try {
      byte[] text = source.read().getBytes(StandardCharsets.ISO_8859_1);
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (certificates.isEmpty()) {
        throw new WebConfigException(
            source.name() + " has no certificate; allowed: -----BEGIN CERTIFICATE-----");
      }
      return certificates;
    } catch (CertificateException e) {
      // Do not include the cause: its message quotes lines, which may contain a key.
      throw new WebConfigException(
          source.name() + " has a broken certificate; allowed: X.509 certificates in PEM");
    }
  }

  /** Returns the first private key of a source. */
  static PrivateKey privateKey(PemSource source) throws WebConfigException {
    Matcher key = KEY.matcher(source.read());
    if (!key.find()) {
      throw unusable(source, "has no private key");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(key.group(2));
      return switch (key.group(1)) {
        case "" -> pkcs8(source, der);
        case "RSA " -> pkcs8(source, wrapped(RSA, der));
        case "EC " -> pkcs8(source, wrapped(ecAlgorithm(source, der), der));
        default -> throw unusable(source, "has a key of " + kind(key.group(1).trim()));
      };
    } catch (IllegalArgumentException e) {
      throw unusable(source, "has a broken private key");
    }
  }

  /** Returns a text for the kind of key. It quotes known kinds only. */
  private static String kind(String text) {
    return OTHER_KINDS.contains(text) ? "the kind '" + text + "'" : "an unknown kind";
  }

  private static WebConfigException unusable(PemSource source, String reason) {
    return new WebConfigException(
        source.name()
            + " "
            + reason
            + "; allowed: an unencrypted -----BEGIN PRIVATE KEY-----, which"
            + " 'openssl pkcs8 -topk8 -nocrypt -in old.key -out new.key' makes");
  }

  private static PrivateKey pkcs8(PemSource source, byte[] der) throws WebConfigException {
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (InvalidKeySpecException e) {
        // It is not a key of this algorithm: try the next one.
      } catch (GeneralSecurityException e) {
        throw new WebConfigException(source.name() + ": this JVM knows no " + algorithm, e);
      }
    }
    throw unusable(source, "has a private key that is neither RSA, EC nor Ed25519");
  }

  /**
   * Returns an older form of a key as PKCS #8 (RFC 5208): a version, the algorithm, the key itself.
   */
  private static byte[] wrapped(byte[] algorithm, byte[] der) {
    return tagged(SEQUENCE, VERSION_0, algorithm, tagged(OCTET_STRING, der));
  }

  /**
   * Returns the algorithm of a key in the form of SEC 1 (RFC 5915): a version, the key, and under
   * [0] its curve, which PKCS #8 has outside of the key.
   */
  private static byte[] ecAlgorithm(PemSource source, byte[] der) throws WebConfigException {
    int at = contentStart(der, 0);
    at = next(der, at);
    at = next(der, at);
    if (at >= der.length || (der[at] & 0xff) != 0xa0) {
      throw unusable(source, "has an EC key without its curve");
    }
    int start = contentStart(der, at);
    byte[] curve = Arrays.copyOfRange(der, start, next(der, at));
    return tagged(SEQUENCE, EC_OID, curve);
  }

  /** Returns the start of the content of the element at {@code at}. */
  private static int contentStart(byte[] der, int at) {
    check(der, at + 1);
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  /** Returns the start of the element after the one at {@code at}. */
  private static int next(byte[] der, int at) {
    int start = contentStart(der, at);
    check(der, start - 1);
    int length = der[at + 1] & 0xff;
    if (length >= 0x80) {
      length = 0;
      for (int i = at + 2; i < start; i++) {
        length = (length << 8) | (der[i] & 0xff);
      }
    }
    if (length < 0 || length > der.length - start) {
      throw new IllegalArgumentException("length " + length);
    }
    return start + length;
  }

  private static void check(byte[] der, int index) {
    if (index >= der.length) {
      throw new IllegalArgumentException("ends early");
    }
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    int length = content.size();
    if (length >= 0x100) {
      element.write(0x82);
      element.write(length >>> 8);
    } else if (length >= 0x80) {
      element.write(0x81);
    }
    element.write(length);
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
