/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The build of a copy of the published modules, as docs/internals/releasing.md describes it. */
final class ReleaseBuild {
  /** The version of the copy: a snapshot cannot be released. */
  static final String VERSION = System.getProperty("cistern.version").replace("-SNAPSHOT", "");

  /** The placeholder of the project's address, with which a release fails. */
  static final String PLACEHOLDER = "https://github.com/cistern-project/cistern";

  /** The project's address in the copy. */
  static final String URL = "https://cistern.invalid/cistern";

  private static final String UMASK = "umask %s && exec \"$0\" \"$@\"";
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final String PUBLISHED = "<maven.deploy.skip>false</maven.deploy.skip>";

  /** Module that the tests of published modules depend on. It is built and not published. */
  private static final String TEST_SUPPORT = "testing/support";

  private static final Pattern URL_PROPERTY = Pattern.compile("(<cistern\\.url>)[^<]+");
  private static final long LIMIT_SECONDS = 300;

  /** The properties that differ between two machines. */
  record Machine(String umask, String zone, String language) {}

  private ReleaseBuild() {}

  /** Returns the directories of the published modules. */
  static List<String> publishedModules() throws IOException {
    List<String> published = new ArrayList<>();
    for (String module : modules()) {
      if (pom(module).contains(PUBLISHED)) {
        published.add(module);
      }
    }
    return published;
  }

  private static List<String> modules() throws IOException {
    return MODULE.matcher(pom("")).results().map(match -> match.group(1)).toList();
  }

  private static String pom(String module) throws IOException {
    return Files.readString(Archive.CHECKOUT.resolve(module).resolve("pom.xml"));
  }

  /** Builds, signs and deploys the published modules to a directory. */
  static void deploy(Path project, Path repository, SigningKey key, Machine machine)
      throws IOException, InterruptedException {
    copy(project);
    ProcessBuilder builder =
        maven(
            project,
            "-Prelease",
            "-Dmaven.test.skip=true",
            "-Dmaven.install.skip=true",
            // The checks take most of the time and do not change the result.
            "-Dspotless.check.skip=true",
            "-Derrorprone.options=-XepDisableAllChecks",
            "-Dnullaway.options=",
            "-Dmaven.repo.local=" + System.getProperty("cistern.localRepository"),
            "-DaltDeploymentRepository=staged::" + repository.toUri(),
            "deploy");
    builder
        .environment()
        .put(
            "MAVEN_OPTS",
            "-Duser.timezone=" + machine.zone() + " -Duser.language=" + machine.language());
    builder.command().addAll(0, List.of("bash", "-c", UMASK.formatted(machine.umask())));
    builder.environment().put("TZ", machine.zone());
    builder.environment().put("MAVEN_GPG_KEY", key.secretKey());
    builder.environment().put("MAVEN_GPG_PASSPHRASE", SigningKey.PASSPHRASE);
    run(builder);
  }

  /** Returns a Maven command in a directory. */
  static ProcessBuilder maven(Path directory, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("cistern.maven"), "bin", "mvn").toString());
    command.addAll(List.of("-q", "-B"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Arguments of the outer build must not reach this one.
    builder.environment().remove("MAVEN_ARGS");
    return builder;
  }

  /** Runs a command that must succeed and returns what it printed. */
  static String run(ProcessBuilder builder) throws IOException, InterruptedException {
    Tool.Outcome outcome = Tool.run(builder, LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    return outcome.printed();
  }

  private static void copy(Path project) throws IOException {
    List<String> modules = new ArrayList<>(publishedModules());
    modules.add(TEST_SUPPORT);
    for (String file : List.of(".mvn", "LICENSE", "NOTICE")) {
      copy(Archive.CHECKOUT.resolve(file), project.resolve(file));
    }
    for (String module : modules) {
      write(project.resolve(module), pom(module));
      Path sources = Archive.CHECKOUT.resolve(module).resolve("src");
      if (Files.exists(sources)) {
        copy(sources, project.resolve(module).resolve("src"));
      }
    }
    writeParent(project, modules, URL);
  }

  /** Writes the parent's POM with these modules and this address of the project. */
  static void writeParent(Path project, List<String> modules, String url) throws IOException {
    String listed =
        modules.stream()
            .map(module -> "<module>" + module + "</module>")
            .reduce("", String::concat);
    write(
        project,
        URL_PROPERTY
            .matcher(pom(""))
            .replaceFirst("$1" + url)
            .replaceFirst("(?s)<modules>.*</modules>", "<modules>" + listed + "</modules>"));
  }

  private static void write(Path directory, String pom) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("pom.xml"), pom.replace(System.getProperty("cistern.version"), VERSION));
  }

  static void copy(Path from, Path to) throws IOException {
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
}
