/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two builds of the same sources give the same bytes, whatever the machine's settings. */
class ReproducibleBuildIT {
  private static final String MODULE = "buffer-core";
  private static final List<String> SOURCES =
      List.of(
          ".mvn",
          "LICENSE",
          "NOTICE",
          "testing/support/pom.xml",
          "testing/support/src",
          MODULE + "/pom.xml",
          MODULE + "/src");
  private static final String MODULES =
      "<modules><module>testing/support</module><module>" + MODULE + "</module></modules>";
  private static final long LIMIT_SECONDS = 150;

  @TempDir Path temporary;

  @Test
  void theJarsOfTwoBuildsAreEqual() throws Exception {
    Map<String, Path> first = build("first", "022", "UTC", "-Duser.language=en");
    Map<String, Path> second = build("the second", "077", "Asia/Kolkata", "-Duser.language=de");
    assertThat(first).isNotEmpty();
    assertThat(second.keySet()).isEqualTo(first.keySet());
    for (String name : first.keySet()) {
      assertThat(differences(first.get(name), second.get(name))).as(name).isEmpty();
    }
    // Only the entries of the jar of sources: their modes follow the umask of a checkout.
    String jar = "cistern-" + MODULE + "-" + System.getProperty("cistern.version") + ".jar";
    assertThat(Files.mismatch(first.get(jar), second.get(jar))).as("byte of %s", jar).isEqualTo(-1);
  }

  /** Builds a copy of the module and returns its jars by name. */
  private Map<String, Path> build(String directory, String umask, String zone, String locale)
      throws IOException, InterruptedException {
    Path project = Files.createDirectory(temporary.resolve(directory));
    for (String source : SOURCES) {
      copy(Archive.CHECKOUT.resolve(source), project.resolve(source));
    }
    String pom = Files.readString(Archive.CHECKOUT.resolve("pom.xml"));
    Files.writeString(
        project.resolve("pom.xml"), pom.replaceFirst("(?s)<modules>.*</modules>", MODULES));
    String maven = Path.of(System.getProperty("cistern.maven"), "bin", "mvn").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash",
                "-c",
                "umask " + umask + " && exec \"$0\" \"$@\"",
                maven,
                "-o",
                "-q",
                "-B",
                "-Dmaven.test.skip=true",
                "-Dmaven.javadoc.skip=true",
                // The checks take most of the time and do not change the result.
                "-Derrorprone.options=-XepDisableAllChecks",
                "-Dnullaway.options=",
                "-Dmaven.repo.local=" + System.getProperty("cistern.localRepository"),
                "package")
            .directory(project.toFile());
    builder.environment().put("MAVEN_OPTS", "-Duser.timezone=" + zone + " " + locale);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("TZ", zone);
    Tool.Outcome outcome = Tool.run(builder, LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return jars(project.resolve(MODULE).resolve("target"));
  }

  private static Map<String, Path> jars(Path target) throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(Files.isDirectory(file) ? target : target.getParent());
        if (Files.isRegularFile(file)) {
          Files.copy(file, target);
        }
      }
    }
  }

  /** Returns the names of the entries that differ. */
  private static List<String> differences(Path first, Path second) throws IOException {
    Map<String, byte[]> ours = entries(first);
    Map<String, byte[]> theirs = entries(second);
    TreeMap<String, byte[]> all = new TreeMap<>(ours);
    all.putAll(theirs);
    return all.keySet().stream()
        .filter(name -> !Arrays.equals(ours.get(name), theirs.get(name)))
        .toList();
  }

  private static Map<String, byte[]> entries(Path jar) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }
}
