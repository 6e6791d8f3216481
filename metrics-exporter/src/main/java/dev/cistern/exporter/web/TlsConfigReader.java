/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Reader of {@code tls_server_config}. */
record TlsConfigReader(Section section, Path file) {
  /** The names of the versions in the file, oldest first. All JDKs disable TLS 1.0 and 1.1. */
  private static final List<String> VERSIONS = List.of("TLS12", "TLS13");

  private static final Map<String, String> PROTOCOLS =
      Map.of("TLS12", "TLSv1.2", "TLS13", "TLSv1.3");
  private static final Map<String, String> GROUPS =
      Map.of(
          "CurveP256", "secp256r1",
          "CurveP384", "secp384r1",
          "CurveP521", "secp521r1",
          "X25519", "x25519");

  /**
   * Reads the mapping completely.
   *
   * @param file the configuration file; names of other files are relative to its directory
   */
  static TlsConfig read(Section section, Path file) throws WebConfigException {
    return new TlsConfigReader(section, file).read();
  }

  private TlsConfig read() throws WebConfigException {
    PemSource cert = needed("cert");
    PemSource key = needed("key");
    ClientAuth clientAuth = clientAuth();
    PemSource clientCa = source("client_ca");
    Set<String> allowedSans = Set.copyOf(section.texts("client_allowed_sans"));
    if (clientCa != null && !clientAuth.isWanted()) {
      throw section.bad("client_auth_type", "NoClientCert", "another, since there is a client_ca");
    }
    if (clientCa == null && clientAuth.isVerified()) {
      throw section.badSecret(
          "client_ca_file", "is not there", "a PEM file, which client_auth_type needs");
    }
    if (!allowedSans.isEmpty() && !clientAuth.isVerified()) {
      throw section.bad(
          "client_allowed_sans", allowedSans, "a client_auth_type that verifies certificates");
    }
    TlsConfig tls =
        new TlsConfig(
            cert,
            key,
            clientAuth,
            clientCa,
            allowedSans,
            protocols(),
            cipherSuites(),
            section.flag("prefer_server_cipher_suites", true),
            groups());
    section.end();
    return tls;
  }

  private PemSource needed(String key) throws WebConfigException {
    PemSource source = source(key);
    if (source == null) {
      throw section.badSecret(key + "_file", "is not there", "a PEM file, or " + key + ": PEM");
    }
    return source;
  }

  private @Nullable PemSource source(String key) throws WebConfigException {
    String inline = section.text(key);
    String named = section.text(key + "_file");
    if (inline != null && named != null) {
      throw section.badSecret(key, "and " + key + "_file are both there", "one of them");
    }
    if (inline == null && named == null) {
      return null;
    }
    String where = section.file() + ": tls_server_config." + key;
    return named == null
        ? new PemSource(where, null, inline)
        : new PemSource(where + "_file", file.toAbsolutePath().resolveSibling(named), null);
  }

  private ClientAuth clientAuth() throws WebConfigException {
    String text = section.text("client_auth_type");
    ClientAuth clientAuth = text == null ? ClientAuth.NONE : ClientAuth.of(text);
    if (clientAuth == null) {
      throw section.bad("client_auth_type", String.valueOf(text), ClientAuth.allowed());
    }
    return clientAuth;
  }

  private List<String> protocols() throws WebConfigException {
    int min = version("min_version", "TLS12");
    int max = version("max_version", "TLS13");
    if (min > max) {
      throw section.bad("max_version", VERSIONS.get(max), "min_version or later");
    }
    List<String> protocols = new ArrayList<>();
    for (String version : VERSIONS.subList(min, max + 1)) {
      protocols.add(PROTOCOLS.getOrDefault(version, version));
    }
    return protocols;
  }

  private int version(String key, String ifAbsent) throws WebConfigException {
    String text = section.text(key);
    int version = VERSIONS.indexOf(text == null ? ifAbsent : text);
    if (version < 0) {
      throw section.bad(key, String.valueOf(text), String.join(" or ", VERSIONS));
    }
    return version;
  }

  private List<String> cipherSuites() throws WebConfigException {
    List<String> suites = section.texts("cipher_suites");
    Set<String> supported = supportedSuites();
    for (String suite : suites) {
      if (!supported.contains(suite)) {
        throw section.bad(
            "cipher_suites",
            suite,
            "those of this JDK, such as TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
      }
    }
    return suites;
  }

  private static Set<String> supportedSuites() throws WebConfigException {
    try {
      return Set.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new WebConfigException("this JVM has no TLS (" + e + ")", e);
    }
  }

  private List<String> groups() throws WebConfigException {
    List<String> groups = new ArrayList<>();
    for (String curve : section.texts("curve_preferences")) {
      String group = GROUPS.get(curve);
      if (group == null) {
        throw section.bad(
            "curve_preferences",
            curve,
            String.join(", ", GROUPS.keySet().stream().sorted().toList()));
      }
      groups.add(group);
    }
    if (!groups.isEmpty() && !NamedGroups.canBeSet()) {
      throw section.bad("curve_preferences", groups, "nothing before JDK 20, whose order is fixed");
    }
    return groups;
  }
}
