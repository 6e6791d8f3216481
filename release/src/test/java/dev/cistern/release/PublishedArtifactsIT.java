/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import dev.cistern.testing.Tool;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * The artifacts that a release deploys to a Maven repository, and a user's project that depends on
 * them.
 */
@Timeout(value = PublishedArtifactsIT.LIMIT_MINUTES, unit = TimeUnit.MINUTES)
class PublishedArtifactsIT {
  /**
   * Time limit in minutes. It is above the default, because tests build projects, with their own
   * limits.
   */
  static final long LIMIT_MINUTES = 10;

  private static final String CORE = "cistern-buffer-core";
  private static final String EXPORTER = "cistern-metrics-exporter";
  private static final String NETTY_ALLOCATOR = "cistern-netty-allocator";
  private static final String BOM = "cistern-bom";
  private static final String SBOM = "-cyclonedx.json";

  private static final String SOURCES = "-sources.jar";

  /**
   * Artifacts whose jars do not depend on the umask. The entries of all other jars have the modes
   * of files, which follow the umask.
   */
  private static final Set<String> JARS_WITH_FIXED_MODES = Set.of(CORE, NETTY_ALLOCATOR);

  /** Pattern of a hash in an SBOM, such as that of a jar whose bytes follow the umask. */
  private static final Pattern HASH = Pattern.compile("(\"content\"\\s*:\\s*\")[0-9a-f]{32,}");

  private static final Pattern CHECKSUM = Pattern.compile("\\.(md5|sha1|sha256|sha512)$");
  private static final Pattern TOKEN = Pattern.compile("@([a-z0-9.-]+)@");
  private static final XPath XPATH = XPathFactory.newInstance().newXPath();
  private static final long LIMIT_SECONDS = 180;

  @TempDir static Path temporary;
  private static SigningKey key;
  private static Path staged;
  private static final Map<String, Path> artifacts = new TreeMap<>();

  @BeforeAll
  @Timeout(value = LIMIT_MINUTES, unit = TimeUnit.MINUTES)
  static void deploy() throws Exception {
    key = new SigningKey();
    staged = temporary.resolve("staged");
    Path project = Files.createDirectory(temporary.resolve("project"));
    ReleaseBuild.deploy(project, staged, key, new ReleaseBuild.Machine("022", "UTC", "en"));
    try (Stream<Path> directories = Files.list(staged.resolve("dev/cistern"))) {
      directories.forEach(
          directory -> artifacts.put(directory.getFileName().toString(), directory));
    }
  }

  /** Returns a file of an artifact; the suffix follows the version. */
  private static Path file(String artifact, String suffix) {
    return staged
        .resolve("dev/cistern")
        .resolve(artifact)
        .resolve(ReleaseBuild.VERSION)
        .resolve(artifact + "-" + ReleaseBuild.VERSION + suffix);
  }

  private static Document pom(String artifact) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(file(artifact, ".pom").toFile());
  }

  private static List<String> texts(Document pom, String path) throws XPathExpressionException {
    NodeList nodes = (NodeList) XPATH.evaluate(path, pom, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent().trim());
    }
    return texts;
  }

  @Test
  void onlyThePublishedModulesAreThere() throws Exception {
    List<String> expected = new ArrayList<>();
    for (String module : ReleaseBuild.publishedModules()) {
      expected.add("cistern-" + module);
    }
    assertThat(artifacts.keySet())
        .containsExactlyInAnyOrderElementsOf(expected)
        .contains(BOM, CORE, EXPORTER, NETTY_ALLOCATOR, "cistern-agent");
  }

  @Test
  void eachPomHasNoParentAndHasTheElementsThatCentralRequires() throws Exception {
    for (String artifact : artifacts.keySet()) {
      Document pom = pom(artifact);
      for (String element :
          List.of(
              "name",
              "description",
              "url",
              "licenses/license/name",
              "licenses/license/url",
              "developers/developer/name",
              "developers/developer/organization",
              "developers/developer/organizationUrl",
              "scm/connection",
              "scm/developerConnection",
              "scm/url")) {
        assertThat(texts(pom, "/project/" + element))
            .as("%s: %s", artifact, element)
            .hasSize(1)
            .doesNotContain("");
      }
      // Maven appends the module's name to inherited URLs by default.
      assertThat(texts(pom, "/project/url")).containsExactly(ReleaseBuild.URL);
      assertThat(texts(pom, "/project/scm/url")).containsExactly(ReleaseBuild.URL);
      assertThat(texts(pom, "/project/scm/*[self::connection or self::developerConnection]"))
          .as(artifact)
          .containsOnly("scm:git:" + ReleaseBuild.URL + ".git");
      assertThat(texts(pom, "/project/parent")).as(artifact).isEmpty();
      assertThat(Files.readString(file(artifact, ".pom")))
          .as(artifact)
          .doesNotContain("${", "SNAPSHOT", "<scope>test</scope>");
    }
  }

  @Test
  void theLibraryBringsNoOther() throws Exception {
    assertThat(texts(pom(CORE), "/project/dependencies/dependency[not(scope='provided')]"))
        .isEmpty();
  }

  @Test
  void theBomListsEachOtherArtifact() throws Exception {
    Document pom = pom(BOM);
    Set<String> published = new TreeSet<>(artifacts.keySet());
    published.remove(BOM);
    String managed = "/project/dependencyManagement/dependencies/dependency/";
    assertThat(texts(pom, managed + "artifactId")).containsExactlyInAnyOrderElementsOf(published);
    assertThat(texts(pom, managed + "version")).containsOnly(ReleaseBuild.VERSION);
    assertThat(texts(pom, "/project/dependencies")).isEmpty();
  }

  @Test
  void eachArtifactHasSourcesJavadocAndSbomAndNothingElse() throws Exception {
    for (String artifact : artifacts.keySet()) {
      Set<String> expected = new TreeSet<>(Set.of(".pom", SBOM));
      if (!texts(pom(artifact), "/project/packaging").contains("pom")) {
        expected.addAll(Set.of(".jar", SOURCES, "-javadoc.jar"));
        assertThat(names(file(artifact, SOURCES)))
            .as(artifact)
            .anyMatch(name -> name.endsWith(".java"));
        assertThat(names(file(artifact, "-javadoc.jar"))).as(artifact).contains("index.html");
      }
      assertThat(suffixes(artifact)).as(artifact).isEqualTo(expected);
    }
  }

  /** Returns the part after the version in the names of an artifact's files, without signatures. */
  private static Set<String> suffixes(String artifact) throws IOException {
    String prefix = artifact + "-" + ReleaseBuild.VERSION;
    Set<String> suffixes = new TreeSet<>();
    try (Stream<Path> files = Files.list(file(artifact, "").getParent())) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !CHECKSUM.matcher(name).find() && !name.endsWith(".asc"))
          .forEach(name -> suffixes.add(name.substring(prefix.length())));
    }
    return suffixes;
  }

  @Test
  void eachFileIsSigned() throws Exception {
    SigningKey another = new SigningKey();
    for (String artifact : artifacts.keySet()) {
      for (String suffix : suffixes(artifact)) {
        Path file = file(artifact, suffix);
        assertThat(key.hasSigned(file)).as("%s", file).isTrue();
        assertThat(another.hasSigned(file)).as("%s", file).isFalse();
      }
    }
  }

  @Test
  void eachSbomNamesTheRuntimeDependencies() throws Exception {
    for (String artifact : artifacts.keySet()) {
      Document pom = pom(artifact);
      JsonObject sbom = JsonParser.object().from(Files.readString(file(artifact, SBOM)));
      JsonObject described = sbom.getObject("metadata").getObject("component");
      assertThat(described.getString("name")).isEqualTo(artifact);
      assertThat(described.getString("version")).isEqualTo(ReleaseBuild.VERSION);
      List<String> components =
          sbom.getArray("components", new JsonArray()).stream()
              .map(component -> ((JsonObject) component).getString("name"))
              .toList();
      String dependencies = "/project/dependencies/dependency";
      List<String> provided = texts(pom, dependencies + "[scope='provided']/artifactId");
      assertThat(components)
          .as(artifact)
          .containsAll(texts(pom, dependencies + "[not(scope='provided')]/artifactId"))
          .noneMatch(provided::contains);
    }
    assertThat(Files.readString(file("cistern-agent", SBOM)))
        .contains("pkg:maven/org.ow2.asm/asm@");
  }

  @Test
  void aSecondBuildElsewhereGivesTheSameFiles() throws Exception {
    Path second = temporary.resolve("second staged");
    ReleaseBuild.deploy(
        Files.createDirectory(temporary.resolve("the second project")),
        second,
        key,
        new ReleaseBuild.Machine("077", "Asia/Kolkata", "de"));
    SoftAssertions softly = new SoftAssertions();
    for (String artifact : artifacts.keySet()) {
      for (String suffix : suffixes(artifact)) {
        Path built = file(artifact, suffix);
        Path rebuilt = second.resolve(staged.relativize(built).toString());
        if (suffix.equals(SBOM)) {
          softly.assertThat(withoutHashes(rebuilt)).isEqualTo(withoutHashes(built));
        } else if (suffix.endsWith(".jar")) {
          softly.assertThat(entries(rebuilt)).containsExactlyElementsOf(entries(built));
        }
        if (suffix.equals(".pom")
            || (suffix.equals(".jar") && JARS_WITH_FIXED_MODES.contains(artifact))) {
          softly.assertThat(Files.mismatch(built, rebuilt)).as("byte of %s", built).isEqualTo(-1);
        }
      }
    }
    softly.assertAll();
  }

  @Test
  void aReleaseWithThePlaceholderOfTheAddressFails() throws Exception {
    Path project = Files.createDirectory(temporary.resolve("placeholder"));
    ReleaseBuild.writeParent(project, List.of(), ReleaseBuild.PLACEHOLDER);
    ProcessBuilder builder =
        ReleaseBuild.maven(
            project,
            "-Prelease",
            "-Dmaven.repo.local=" + System.getProperty("cistern.localRepository"),
            "validate");
    Tool.Outcome outcome = Tool.run(builder, LIMIT_SECONDS);
    assertThat(outcome.status()).isNotZero();
    assertThat(outcome.printed()).contains("cistern.url: a placeholder");
  }

  private static String withoutHashes(Path sbom) throws IOException {
    return HASH.matcher(Files.readString(sbom)).replaceAll("$1");
  }

  /** Returns name, time, size and checksum of each entry, in the order of the jar. */
  private static List<String> entries(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(
              entry ->
                  "%s %s %d %x"
                      .formatted(
                          entry.getName(),
                          entry.getLastModifiedTime(),
                          entry.getSize(),
                          entry.getCrc()))
          .toList();
    }
  }

  private static List<String> names(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    }
  }

  @Test
  void aUsersProjectRunsOnTheClassPath() throws Exception {
    Path project = user("class path");
    Files.delete(project.resolve("src/main/java/module-info.java"));
    String path = build(project);
    assertRuns("--class-path", path, "example.user.Main");
  }

  @Test
  void aUsersProjectRunsOnTheModulePath() throws Exception {
    String path = build(user("module path"));
    assertRuns(
        // The exporter is an automatic module, which names no module that it needs.
        "--add-modules",
        "ALL-MODULE-PATH",
        "--module-path",
        path,
        "--module",
        "example.user/example.user.Main");
  }

  private static void assertRuns(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Tool.jdk("java"));
    if (Runtime.version().feature() >= 24) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of(arguments));
    Tool.Outcome outcome = Tool.run(new ProcessBuilder(command), LIMIT_SECONDS);
    assertThat(outcome.status()).as(outcome.printed()).isZero();
    assertThat(outcome.printed().lines())
        .containsExactly(
            "from a pooled buffer",
            "from a channel's buffer",
            "cistern_pinned_bytes buffers 64.0",
            "cistern_pinned_bytes netty 1024.0",
            "/leaks 200",
            "/live 200",
            "/state 200",
            "/debug/pprof/heap 200");
  }

  /** Copies the user's project to a directory, with the versions of plugins of the checkout. */
  private static Path user(String directory) throws IOException {
    Path project = temporary.resolve(directory);
    ReleaseBuild.copy(Archive.CHECKOUT.resolve("release/src/user"), project);
    for (String name : List.of("pom.xml", "settings.xml")) {
      Path file = project.resolve(name);
      Files.writeString(
          file, TOKEN.matcher(Files.readString(file)).replaceAll(token -> value(token.group(1))));
    }
    return project;
  }

  private static String value(String token) {
    return Matcher.quoteReplacement(
        switch (token) {
          case "cistern.version" -> ReleaseBuild.VERSION;
          case "staged" -> staged.toUri().toString();
          case "builders-repository" ->
              Path.of(System.getProperty("cistern.localRepository")).toUri().toString();
          default -> property(token);
        });
  }

  private static String property(String name) {
    try {
      String pom = Files.readString(Archive.CHECKOUT.resolve("pom.xml"));
      Matcher matcher = Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(pom);
      assertThat(matcher.find()).as(name).isTrue();
      return matcher.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Builds the project with a separate local repository and returns the path to run it. */
  private static String build(Path project) throws Exception {
    Path repository = project.resolve("repository");
    ReleaseBuild.run(
        ReleaseBuild.maven(
            project,
            "-s",
            "settings.xml",
            "-Dmaven.repo.local=" + repository,
            "compile",
            "dependency:build-classpath"));
    Set<String> path = new LinkedHashSet<>();
    path.add(project.resolve("target/classes").toString());
    path.addAll(
        List.of(
            Files.readString(project.resolve("target/path")).trim().split(File.pathSeparator, -1)));
    assertThat(path)
        .contains(repository.resolve(staged.relativize(file(CORE, ".jar")).toString()).toString())
        .contains(
            repository.resolve(staged.relativize(file(EXPORTER, ".jar")).toString()).toString())
        .contains(
            repository
                .resolve(staged.relativize(file(NETTY_ALLOCATOR, ".jar")).toString())
                .toString());
    return String.join(File.pathSeparator, path);
  }
}
