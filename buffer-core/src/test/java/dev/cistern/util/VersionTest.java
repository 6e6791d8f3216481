/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the version data of artifacts. */
@Tag("G4")
class VersionTest {
  private static final String COMPLETE =
      """
      one.version=1.2.3
      one.buildDate=2026-01-01T00:00:00Z
      one.commitDate=2026-02-03T04:05:06+01:00
      one.shortCommitHash=0123456789
      one.longCommitHash=0123456789abcdef0123456789abcdef01234567
      one.repoStatus=clean
      """;

  /** Returns a class loader with files of these texts. */
  private static ClassLoader loader(String... files) {
    return new ClassLoader(null) {
      @Override
      protected Enumeration<URL> findResources(String name) throws IOException {
        List<URL> found = new ArrayList<>();
        if (name.equals("META-INF/cistern.versions.properties")) {
          for (String file : files) {
            found.add(url(file));
          }
        }
        return Collections.enumeration(found);
      }
    };
  }

  @SuppressWarnings("deprecation") // the only way to set a handler for one URL
  private static URL url(String text) throws IOException {
    return new URL(
        "text",
        "",
        0,
        "",
        new URLStreamHandler() {
          @Override
          protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
              @Override
              public void connect() {}

              @Override
              public InputStream getInputStream() throws IOException {
                if (text.equals("unreadable")) {
                  throw new IOException(text);
                }
                return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
              }
            };
          }
        });
  }

  @Test
  void readsThePropertiesOfTheBuild() {
    Version one = Version.identify(loader(COMPLETE)).get("one");
    assertThat(one.artifactId()).isEqualTo("one");
    assertThat(one.artifactVersion()).isEqualTo("1.2.3");
    assertThat(one.buildTimeMillis())
        .isEqualTo(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
    assertThat(one.commitTimeMillis())
        .isEqualTo(Instant.parse("2026-02-03T03:05:06Z").toEpochMilli());
    assertThat(one.shortCommitHash()).isEqualTo("0123456789");
    assertThat(one.longCommitHash()).isEqualTo("0123456789abcdef0123456789abcdef01234567");
    assertThat(one.repositoryStatus()).isEqualTo("clean");
    assertThat(one).hasToString("one-1.2.3.0123456789");
  }

  @Test
  void findsAllArtifactsOfAllFiles() {
    Map<String, Version> versions =
        Version.identify(
            loader(COMPLETE + "two.version=2", "unreadable", "bad=\\u00zz", "three.version=3"));
    assertThat(versions).containsOnlyKeys("one", "two", "three");
    assertThat(versions.get("two").artifactVersion()).isEqualTo("2");
    assertThat(Version.identify(loader())).isEmpty();
  }

  @Test
  void unknownValuesAreReportedAsUnknown() {
    Version bare = Version.identify(loader("bare.version=1\nbare.commitDate=unknown")).get("bare");
    assertThat(bare.commitTimeMillis()).isZero();
    assertThat(bare.buildTimeMillis()).isZero();
    assertThat(bare.longCommitHash()).isEqualTo("unknown");
    assertThat(bare).hasToString("bare-1.unknown (repository: unknown)");
  }

  @Test
  void thisArtifactReportsItsCommit() throws IOException {
    Version core = Version.identify().get("cistern-buffer-core");
    String pom = Files.readString(Path.of("pom.xml"));
    Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    assertThat(core.artifactVersion()).isEqualTo(version.group(1));
    assertThat(core.buildTimeMillis()).isPositive();
    assertThat(core.longCommitHash()).matches("[0-9a-f]{40}|unknown");
    assertThat(core.longCommitHash()).startsWith(core.shortCommitHash());
    assertThat(core.commitTimeMillis() > 0).isEqualTo(!core.longCommitHash().equals("unknown"));
    assertThat(core.repositoryStatus()).isIn("clean", "dirty", "unknown");
  }

  @Test
  void printsTheArtifactsOnTheClassPath() {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Version.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("cistern-buffer-core-");
  }
}
