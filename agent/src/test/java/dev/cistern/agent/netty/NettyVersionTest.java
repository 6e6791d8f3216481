/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NettyVersionTest {
  @TempDir private Path directory;

  /** A stand-in for the allocator, of which only loader and jar matter. */
  public static final class Allocator {}

  private Path jar(String name, String file, String properties) throws IOException {
    String entry = Allocator.class.getName().replace('.', '/') + ".class";
    Path jar = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        InputStream in = Allocator.class.getClassLoader().getResourceAsStream(entry)) {
      entries.putNextEntry(new JarEntry(entry));
      entries.write(Objects.requireNonNull(in).readAllBytes());
      if (!file.isEmpty()) {
        entries.putNextEntry(new JarEntry(file));
        entries.write(properties.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return jar;
  }

  private static String version(String prefix, Path... jars) throws Exception {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      return NettyVersion.of(loader.loadClass(Allocator.class.getName()), prefix);
    }
  }

  /** The layouts of netty-buffer, flink-shaded-netty and grpc-netty-shaded. */
  @ParameterizedTest
  @CsvSource({
    "io.netty, META-INF/io.netty.versions.properties, netty-buffer",
    "org.apache.flink.shaded.netty4.io.netty, META-INF/io.netty.versions.properties, netty-all",
    "io.grpc.netty.shaded.io.netty,"
        + "META-INF/io.grpc.netty.shaded.io.netty.versions.properties, netty-common",
  })
  void theVersionIsFoundInEachLayout(String prefix, String file, String artifact) throws Exception {
    String properties =
        artifact + ".version=4.1.100.Final\n" + artifact + ".buildDate=2023-10-10\n";
    assertThat(version(prefix, jar("netty.jar", file, properties))).isEqualTo("4.1.100.Final");
  }

  @Test
  void aJarWithoutTheFileHasAnUnknownVersionBesideOneThatHasIt() throws Exception {
    Path shaded = jar("shaded.jar", "", "");
    Path other =
        jar(
            "other.jar",
            "META-INF/io.netty.versions.properties",
            "netty-buffer.version=4.2.18.Final\n");
    assertThat(version("example.io.netty", shaded, other)).isEqualTo(NettyVersion.UNKNOWN);
  }
}
