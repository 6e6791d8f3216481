/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.security.CodeSource;
import java.util.Enumeration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The version of a copy, from the properties file that every Netty artifact contains. */
final class NettyVersion {
  /** The version of a copy whose jar does not contain it. */
  static final String UNKNOWN = "unknown";

  private static final String DEFAULT_PREFIX = "io.netty";
  private static final String KEY = "netty-buffer.version";

  /**
   * Pattern of the key of any artifact. A shaded jar keeps the file of only one of its artifacts;
   * flink-shaded-netty keeps that of netty-all.
   */
  private static final String ANY_KEY = "netty-[a-z0-9-]+\\.version";

  private NettyVersion() {}

  /** Returns the version, or {@link #UNKNOWN}. */
  static String of(Class<?> allocator, String prefix) {
    String version = find(allocator, prefix, prefix);
    if (version == null && !prefix.equals(DEFAULT_PREFIX)) {
      version = find(allocator, prefix, DEFAULT_PREFIX);
    }
    if (version == null && allocator.getPackage() != null) {
      version = allocator.getPackage().getImplementationVersion();
    }
    return version == null || version.isBlank() ? UNKNOWN : version;
  }

  private static @Nullable String find(Class<?> allocator, String prefix, String fileOf) {
    CodeSource source = allocator.getProtectionDomain().getCodeSource();
    String home =
        source == null || source.getLocation() == null ? null : source.getLocation().toString();
    String first = null;
    try {
      Enumeration<URL> urls =
          allocator.getClassLoader().getResources("META-INF/" + fileOf + ".versions.properties");
      while (urls.hasMoreElements()) {
        URL url = urls.nextElement();
        String version = read(url);
        if (version != null && home != null && url.toString().contains(home)) {
          return version;
        }
        if (first == null) {
          first = version;
        }
      }
    } catch (IOException | RuntimeException unreadable) {
      return null;
    }
    // the file of an unrelocated copy beside it does not describe a relocated one
    return fileOf.equals(prefix) ? first : null;
  }

  private static @Nullable String read(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false); // a cached jar stays open after the host has closed it
    Properties properties = new Properties();
    try (InputStream in = connection.getInputStream()) {
      properties.load(in);
    }
    String version = properties.getProperty(KEY);
    for (String key : properties.stringPropertyNames()) {
      if (version == null && key.matches(ANY_KEY)) {
        version = properties.getProperty(key);
      }
    }
    return version;
  }
}
