/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;

/**
 * A TLS key for the lifetime of this JVM, and its certificate. The certificate is written as DER
 * because the JDK has no public API to create one.
 */
record SelfSigned(PrivateKey key, X509Certificate certificate) {
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OBJECT = 0x06;
  private static final int UTF8 = 0x0C;
  private static final int TIME = 0x17;

  /** ecdsa-with-SHA256. */
  private static final byte[] ALGORITHM = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2};

  /** commonName. */
  private static final byte[] COMMON_NAME = {0x55, 4, 3};

  static SelfSigned make() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    byte[] algorithm = der(SEQUENCE, der(OBJECT, ALGORITHM));
    byte[] name =
        der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT, COMMON_NAME), text(UTF8, "localhost"))));
    byte[] validity = der(SEQUENCE, text(TIME, "200101000000Z"), text(TIME, "491231235959Z"));
    byte[] content =
        der(
            SEQUENCE,
            der(INTEGER, BigInteger.ONE.toByteArray()),
            algorithm,
            name,
            validity,
            name,
            pair.getPublic().getEncoded());
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(content);
    byte[] whole = der(SEQUENCE, content, algorithm, bits(signature.sign()));
    return new SelfSigned(
        pair.getPrivate(),
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(whole)));
  }

  private static byte[] text(int tag, String text) {
    return der(tag, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] bits(byte[] bytes) {
    return der(BIT_STRING, new byte[] {0}, bytes); // the last byte has no unused bits
  }

  /** Returns an element with the given content. */
  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    element.write(tag);
    int length = content.size();
    if (length > 0xFF) {
      element.write(0x82); // the length has two bytes
      element.write(length >> 8);
    } else if (length > 0x7F) {
      element.write(0x81);
    }
    element.write(length);
    element.writeBytes(content.toByteArray());
    return element.toByteArray();
  }
}
