/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.web;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Content of {@code tls_server_config}.
 *
 * @param cert the server's certificate, and its intermediate certificates
 * @param key its private key
 * @param clientAuth requirements for a client's certificate
 * @param clientCa the authorities of client certificates; null if certificates are not verified
 * @param allowedSans names of which a client's certificate must have one; empty for any name
 * @param protocols enabled versions, by their names in the JDK
 * @param cipherSuites cipher suites up to TLS 1.2, in the order of preference; empty for the JDK's
 * @param prefersOwnOrder whether the server's order takes precedence over the client's
 * @param groups groups for key exchange, by their names in the JDK; empty for the JDK's
 */
record TlsConfig(
    PemSource cert,
    PemSource key,
    ClientAuth clientAuth,
    @Nullable PemSource clientCa,
    Set<String> allowedSans,
    List<String> protocols,
    List<String> cipherSuites,
    boolean prefersOwnOrder,
    List<String> groups) {

  /** Returns the files that the configuration names. */
  List<Path> files() {
    List<Path> files = new ArrayList<>();
    Stream.of(cert, key, clientCa)
        .filter(source -> source != null)
        .map(PemSource::file)
        .filter(file -> file != null)
        .forEach(files::add);
    return files;
  }
}
