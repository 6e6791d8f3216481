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
 * The build of an artifact of Cistern. Each artifact contains {@code
 * META-INF/cistern.versions.properties}, which the build writes.
 *
 * <p>Two builds of one commit have the same values, because the time of the build is the fixed time
 * of its outputs. A build without git has the commit {@code unknown}, with the time 0.
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
   * Returns the artifacts that a class loader sees, by their ids. Files that cannot be read are
   * skipped.
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

  /** Reads one file, which contains several artifacts if jars were merged. */
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

  /** Returns a time in milliseconds since 1970; 0 if unknown. */
  private long millis(String key) {
    try {
      return OffsetDateTime.parse(text(key)).toInstant().toEpochMilli();
    } catch (DateTimeException unknown) {
      return 0;
    }
  }

  /** Returns the name of the artifact, such as {@code cistern-buffer-core}. */
  public String artifactId() {
    return artifactId;
  }

  /** Returns the version of the artifact. */
  public String artifactVersion() {
    return text(VERSION);
  }

  /** Returns the time of the build in milliseconds since 1970; 0 if unknown. */
  public long buildTimeMillis() {
    return millis(".buildDate");
  }

  /** Returns the time of the commit in milliseconds since 1970; 0 if unknown. */
  public long commitTimeMillis() {
    return millis(".commitDate");
  }

  /** Returns the first digits of the hash of the commit, or {@code unknown}. */
  public String shortCommitHash() {
    return text(".shortCommitHash");
  }

  /** Returns the hash of the commit, or {@code unknown}. */
  public String longCommitHash() {
    return text(".longCommitHash");
  }

  /**
   * Returns {@code clean} if the build had no changes to the commit, otherwise {@code dirty}, or
   * {@code unknown}.
   */
  public String repositoryStatus() {
    return text(".repoStatus");
  }

  /** Returns a text such as {@code cistern-buffer-core-1.0.0.0123456789 (repository: dirty)}. */
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
