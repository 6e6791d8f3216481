/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The build that an artifact of Cistern comes from. Each artifact carries {@code
 * META-INF/cistern.versions.properties}, written by the build.
 *
 * <p>Two builds of one commit say the same: the time of the build is the fixed one of its outputs.
 * What was built without git says {@code unknown}, and 0 for the time of the commit.
 */
public final class Version {
  private static final String RESOURCE = "META-INF/cistern.versions.properties";
  private static final String VERSION = ".version";
  private static final String UNKNOWN = "unknown";

  private final String artifactId;
  private final Properties properties;

  private Version(String artifactId, Properties properties) {
    this.artifactId = artifactId;
    this.properties = properties;
  }

  /** Returns the artifacts that the calling thread's context class loader sees, by their ids. */
  public static Map<String, Version> identify() {
    return identify(null);
  }

  /**
   * Returns the artifacts that a class loader sees, by their ids; what cannot be read is left out.
   *
   * @param classLoader null for the context class loader of the calling thread
   */
  public static Map<String, Version> identify(@Nullable ClassLoader classLoader) {
    ClassLoader loader =
        classLoader == null ? Thread.currentThread().getContextClassLoader() : classLoader;
    Map<String, Version> versions = new TreeMap<>();
    try {
      Enumeration<URL> found =
          loader == null ? ClassLoader.getSystemResources(RESOURCE) : loader.getResources(RESOURCE);
      while (found.hasMoreElements()) {
        read(found.nextElement(), versions);
      }
    } catch (IOException unreadable) {
      log(RESOURCE, unreadable);
    }
    return Collections.unmodifiableMap(versions);
  }

  /** Reads one file, which has several artifacts if jars were merged. */
  private static void read(URL file, Map<String, Version> versions) {
    Properties properties = new Properties();
    try (InputStream in = file.openStream()) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException unreadable) {
      log(file.toString(), unreadable);
      return;
    }
    for (String name : properties.stringPropertyNames()) {
      if (name.endsWith(VERSION)) {
        String artifactId = name.substring(0, name.length() - VERSION.length());
        versions.putIfAbsent(artifactId, new Version(artifactId, properties));
      }
    }
  }

  private static void log(String what, Exception failure) {
    System.getLogger(Version.class.getName())
        .log(System.Logger.Level.DEBUG, () -> "cannot read " + what, failure);
  }

  private String text(String key) {
    return properties.getProperty(artifactId + key, UNKNOWN);
  }

  /** Milliseconds since 1970; 0 if not known. */
  private long millis(String key) {
    try {
      return OffsetDateTime.parse(text(key)).toInstant().toEpochMilli();
    } catch (DateTimeException unknown) {
      return 0;
    }
  }

  /** The artifact's name, such as {@code cistern-buffer-core}. */
  public String artifactId() {
    return artifactId;
  }

  /** Its version. */
  public String artifactVersion() {
    return text(VERSION);
  }

  /** The time of the build, in milliseconds since 1970; 0 if not known. */
  public long buildTimeMillis() {
    return millis(".buildDate");
  }

  /** The time of the commit that was built, in milliseconds since 1970; 0 if not known. */
  public long commitTimeMillis() {
    return millis(".commitDate");
  }

  /** The first digits of the hash of the commit that was built, or {@code unknown}. */
  public String shortCommitHash() {
    return text(".shortCommitHash");
  }

  /** The hash of the commit that was built, or {@code unknown}. */
  public String longCommitHash() {
    return text(".longCommitHash");
  }

  /** {@code clean} if that commit was built as it is, else {@code dirty}, or {@code unknown}. */
  public String repositoryStatus() {
    return text(".repoStatus");
  }

  /** As in {@code cistern-buffer-core-1.0.0.0123456789 (repository: dirty)}. */
  @Override
  public String toString() {
    String status = repositoryStatus();
    String build = artifactId + '-' + artifactVersion() + '.' + shortCommitHash();
    return status.equals("clean") ? build : build + " (repository: " + status + ')';
  }

  /**
   * Prints the artifacts on the class path.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    identify().values().forEach(System.out::println);
  }
}
