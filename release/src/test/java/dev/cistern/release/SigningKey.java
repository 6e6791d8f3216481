/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Date;
import org.bouncycastle.bcpg.ArmoredOutputStream;
import org.bouncycastle.bcpg.HashAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyAlgorithmTags;
import org.bouncycastle.bcpg.PublicKeyPacket;
import org.bouncycastle.bcpg.SymmetricKeyAlgorithmTags;
import org.bouncycastle.crypto.generators.Ed25519KeyPairGenerator;
import org.bouncycastle.crypto.params.Ed25519KeyGenerationParameters;
import org.bouncycastle.openpgp.PGPException;
import org.bouncycastle.openpgp.PGPSecretKey;
import org.bouncycastle.openpgp.PGPSignature;
import org.bouncycastle.openpgp.PGPSignatureList;
import org.bouncycastle.openpgp.PGPUtil;
import org.bouncycastle.openpgp.bc.BcPGPObjectFactory;
import org.bouncycastle.openpgp.operator.PGPDigestCalculator;
import org.bouncycastle.openpgp.operator.bc.BcPBESecretKeyEncryptorBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentSignerBuilder;
import org.bouncycastle.openpgp.operator.bc.BcPGPContentVerifierBuilderProvider;
import org.bouncycastle.openpgp.operator.bc.BcPGPDigestCalculatorProvider;
import org.bouncycastle.openpgp.operator.bc.BcPGPKeyPair;

/** An OpenPGP key that exists for one test. */
final class SigningKey {
  static final String PASSPHRASE = "a passphrase";

  private final PGPSecretKey key;

  @SuppressWarnings("JavaUtilDate") // Bouncy Castle has no other
  SigningKey() throws PGPException {
    Ed25519KeyPairGenerator generator = new Ed25519KeyPairGenerator();
    generator.init(new Ed25519KeyGenerationParameters(new SecureRandom()));
    BcPGPKeyPair pair =
        new BcPGPKeyPair(
            PublicKeyPacket.VERSION_4,
            PublicKeyAlgorithmTags.EDDSA_LEGACY,
            generator.generateKeyPair(),
            new Date());
    PGPDigestCalculator sha1 = new BcPGPDigestCalculatorProvider().get(HashAlgorithmTags.SHA1);
    key =
        new PGPSecretKey(
            PGPSignature.POSITIVE_CERTIFICATION,
            pair,
            "A test <test@cistern.invalid>",
            sha1,
            null,
            null,
            new BcPGPContentSignerBuilder(
                pair.getPublicKey().getAlgorithm(), HashAlgorithmTags.SHA256),
            new BcPBESecretKeyEncryptorBuilder(SymmetricKeyAlgorithmTags.AES_128, sha1)
                .build(PASSPHRASE.toCharArray()));
  }

  /** Returns the secret key as text, as the build takes it from its environment. */
  String secretKey() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (ArmoredOutputStream armor = ArmoredOutputStream.builder().build(text)) {
      key.encode(armor);
    }
    return text.toString(StandardCharsets.US_ASCII);
  }

  /** Returns whether a file has a detached signature beside it, by this key. */
  boolean hasSigned(Path file) throws IOException, PGPException {
    byte[] signature = Files.readAllBytes(Path.of(file + ".asc"));
    BcPGPObjectFactory objects =
        new BcPGPObjectFactory(PGPUtil.getDecoderStream(new ByteArrayInputStream(signature)));
    PGPSignature first = ((PGPSignatureList) objects.nextObject()).get(0);
    first.init(new BcPGPContentVerifierBuilderProvider(), key.getPublicKey());
    first.update(Files.readAllBytes(file));
    return first.verify();
  }
}
