/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the archive. */
@Tag("smoke")
class ArchiveContentIT {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(.+) \\S+$");

  @TempDir static Path temporary;
  private static Path unpacked;
  private static Map<String, byte[]> files;

  @BeforeAll
  static void unpack() throws Exception {
    unpacked = Archive.unpack(temporary);
    files = Archive.files(unpacked);
  }

  @Test
  void theProgramsAreExecutableAndAllElseIsReadable() throws Exception {
    Map<String, String> modes = new TreeMap<>();
    try (Stream<Path> all = Files.walk(unpacked)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        modes.put(
            unpacked.relativize(file).toString(),
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      }
    }
    for (String program : new String[] {"bin/cistern", "docker/images/probe"}) {
      assertThat(modes).containsEntry(program, "rwxr-xr-x");
    }
    assertThat(modes).containsEntry("lib/cistern-agent.jar", "rw-r--r--");
    assertThat(modes.values()).allMatch(mode -> mode.matches("rw-r--r--|rwxr-xr-x"));
  }

  @Test
  void theZipHasTheSameFiles() throws Exception {
    Map<String, byte[]> zipped = new TreeMap<>();
    try (ZipFile zip = new ZipFile(Archive.zip().toFile())) {
      for (ZipEntry entry : entries(zip)) {
        assertThat(entry.getName()).startsWith(Archive.NAME + "/");
        zipped.put(entry.getName().substring(Archive.NAME.length() + 1), read(zip, entry));
      }
    }
    assertThat(zipped.keySet()).isEqualTo(files.keySet());
    zipped.forEach((name, content) -> assertThat(content).as(name).isEqualTo(files.get(name)));
  }

  /**
   * Other tests use these two directories in the checkout, so the relative paths between them must
   * be the same.
   */
  @Test
  void dockerAndDashboardsAreThoseOfTheCheckout() throws Exception {
    Map<String, byte[]> sources = new TreeMap<>(Archive.files(Archive.CHECKOUT.resolve("docker")));
    assertThat(sources.remove("kubernetes/monitoring/generate")).isNotNull();
    assertThat(text(files.get("docker/.env")))
        .isEqualTo(
            text(sources.remove(".env"))
                .replace("CISTERN_FILES=../release/target/cistern\n", "CISTERN_FILES=..\n"))
        .contains("CISTERN_FILES=..\n");
    sources.forEach(
        (name, content) ->
            assertThat(files.get("docker/" + name)).as("docker/%s", name).isEqualTo(content));
    for (String name :
        new String[] {
          "alerts.yaml",
          "jvm.json",
          "kustomization.yaml",
          "leaks.json",
          "overview.json",
          "rules.yaml"
        }) {
      Path source = Archive.CHECKOUT.resolve("dashboards").resolve(name);
      assertThat(files.get("dashboards/" + name)).as(name).isEqualTo(Files.readAllBytes(source));
    }
  }

  @Test
  void theImagesFindTheirFiles() {
    Map<String, String> copied = new LinkedHashMap<>();
    files.forEach(
        (name, content) -> {
          if (name.endsWith("/Dockerfile")) {
            Matcher matcher = COPIED.matcher(text(content));
            while (matcher.find()) {
              copied.merge(name, matcher.group(1), (first, second) -> first + " " + second);
            }
          }
        });
    assertThat(copied).hasSize(4);
    copied.forEach(
        (dockerfile, sources) -> {
          for (String source : sources.split(" ", -1)) {
            assertThat(unpacked.resolve(source.replace("${NETTY}", "4.1"))).as(dockerfile).exists();
            assertThat(unpacked.resolve(source.replace("${NETTY}", "4.2"))).as(dockerfile).exists();
          }
        });
  }

  @Test
  void everyLinkLeadsToAFile() {
    Map<String, Integer> links = new TreeMap<>();
    files.forEach(
        (name, content) -> {
          if (!name.endsWith(".md")) {
            return;
          }
          Matcher matcher = LINK.matcher(text(content));
          while (matcher.find()) {
            String link = matcher.group(1);
            if (!link.contains("://")) {
              assertThat(unpacked.resolve(name).resolveSibling(link)).as(name).exists();
              links.merge(name, 1, Integer::sum);
            }
          }
        });
    assertThat(links).containsKeys("README.md", "docs/agent.md", "dashboards/runbook.md");
  }

  /** Neither a file nor an entry of a jar names the directory of the build. */
  @Test
  void nothingNamesTheBuildMachine() throws Exception {
    String[] places = {Archive.CHECKOUT.toString(), System.getProperty("cistern.localRepository")};
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      assertThat(text(file.getValue())).as(file.getKey()).doesNotContain(places);
      if (file.getKey().matches("lib/cistern-.*\\.jar")) {
        try (ZipFile jar = new ZipFile(unpacked.resolve(file.getKey()).toFile())) {
          for (ZipEntry entry : entries(jar)) {
            assertThat(text(read(jar, entry)))
                .as("%s: %s", file.getKey(), entry.getName())
                .doesNotContain(places);
          }
        }
      }
    }
  }

  private static List<? extends ZipEntry> entries(ZipFile zip) {
    return zip.stream().filter(entry -> !entry.isDirectory()).toList();
  }

  private static byte[] read(ZipFile zip, ZipEntry entry) throws IOException {
    try (InputStream in = zip.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }

  /** Returns each byte as a character, so that jars can be searched too. */
  private static String text(byte[] content) {
    return new String(content, StandardCharsets.ISO_8859_1);
  }
}
