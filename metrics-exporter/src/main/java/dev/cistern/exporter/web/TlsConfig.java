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
 * What {@code tls_server_config} says.
 *
 * @param cert the server's certificate, and those that lead to its authority
 * @param key its private key
 * @param clientAuth what is asked of a client's certificate
 * @param clientCa the authorities of client certificates; null if none is verified
 * @param allowedSans names of which a client's certificate must have one; empty for any
 * @param protocols as the JDK names them
 * @param cipherSuites of TLS 1.2 and before, in the order of preference; empty for the JDK's
 * @param prefersOwnOrder whether that order decides, not the client's
 * @param groups for key exchange, as the JDK names them; empty for the JDK's
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

  /** The files that it names. */
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
