/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that docs/migrating.md and the recipe for users of Netty name only what exists, and leave
 * out nothing.
 */
class MigrationDocTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final String RECIPE = "/META-INF/rewrite/cistern.yml";

  /** A property of Cistern as documents name it. */
  private static final Pattern DOCUMENTED = Pattern.compile("`(?:-D)?cistern\\.([\\w.]*\\w)[`=]");

  /** The code that reads a property of Cistern. */
  private static final Pattern READ =
      Pattern.compile("(?:Settings\\.\\w+\\(|arenas\\(|String KEY =)\\s*\"([\\w.]+)\"");

  /** A property of Netty's buffers, leak detector or recycler among the constants of a class. */
  private static final Pattern OF_NETTY =
      Pattern.compile(
          "io\\.netty\\.(?:allocat\\w+\\.|buffer\\.(?:bytebuf\\.)?|leakDetection\\w*\\.?|recycler\\.)"
              + "[a-z]\\w*|io\\.netty\\.(?:leakDetectionLevel|noResourceLeakDetection"
              + "|customResourceLeakDetector|noPreferDirect|maxDirectMemory|noUnsafe|tryUnsafe)");

  private static Set<String> found(Pattern pattern, String text, int group) {
    Set<String> found = new TreeSet<>();
    for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
      found.add(matcher.group(group));
    }
    return found;
  }

  private static List<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static Set<String> settings() throws IOException {
    Set<String> settings = new TreeSet<>();
    for (Path file : javaFiles(SOURCES)) {
      settings.addAll(found(READ, Files.readString(file), 1));
    }
    return settings;
  }

  @ParameterizedTest
  @ValueSource(strings = {"migrating.md", "buffers.md", "library.md"})
  void theNamedSettingsExist(String document) throws IOException {
    Set<String> named = found(DOCUMENTED, Files.readString(DOCS.resolve(document)), 1);
    assertThat(settings()).contains("allocator.pageSize", "maxDirectMemory").containsAll(named);
  }

  @Test
  void eachPropertyOfNettysBuffersIsInTheTable() throws IOException, URISyntaxException {
    Set<String> properties = new TreeSet<>();
    properties.addAll(properties(io.netty.buffer.ByteBuf.class));
    properties.addAll(properties(io.netty.util.ReferenceCounted.class));
    assertThat(properties)
        .contains("io.netty.allocator.numHeapArenas", "io.netty.leakDetection.level");
    assertThat(Files.readString(DOCS.resolve("migrating.md")))
        .contains(properties.stream().map(property -> "`" + property + "`").toList());
  }

  private static Set<String> properties(Class<?> ofJar) throws IOException, URISyntaxException {
    Set<String> properties = new TreeSet<>();
    Path path = Path.of(ofJar.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile jar = new JarFile(path.toFile())) {
      for (JarEntry entry : jar.stream().filter(one -> one.getName().endsWith(".class")).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          String constants = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          properties.addAll(found(OF_NETTY, constants, 0));
        }
      }
    }
    return properties;
  }

  @Test
  void theRecipeReplacesEachTypeOfNettysUtilitiesThatWeHave() throws Exception {
    Set<String> expected = new TreeSet<>();
    Path utilities = SOURCES.resolve("dev/cistern/util");
    for (Path file : javaFiles(utilities)) {
      String path = utilities.relativize(file).toString();
      String name = path.substring(0, path.length() - ".java".length()).replace('/', '.');
      if (isPublic("dev.cistern.util." + name) && isPublic("io.netty.util." + name)) {
        expected.add(name);
      }
    }
    Pattern replaced =
        Pattern.compile(
            "oldFullyQualifiedTypeName: io\\.netty\\.util\\.(\\S+)\\s+"
                + "newFullyQualifiedTypeName: dev\\.cistern\\.util\\.\\1\\s");
    assertThat(found(replaced, recipe(), 1)).isEqualTo(expected).contains("Recycler");
  }

  private static boolean isPublic(String name) {
    try {
      ClassLoader loader = MigrationDocTest.class.getClassLoader();
      return Modifier.isPublic(Class.forName(name, false, loader).getModifiers());
    } catch (ClassNotFoundException none) {
      return false;
    }
  }

  private static String recipe() throws IOException {
    try (InputStream in = MigrationDocTest.class.getResourceAsStream(RECIPE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void theDocumentNamesTheTestedVersions() throws IOException {
    String document = Files.readString(DOCS.resolve("migrating.md"));
    String pom = Files.readString(Path.of("..", "pom.xml"));
    Pattern plugin = Pattern.compile("<rewrite-maven-plugin.version>(.*)</");
    Pattern version = Pattern.compile("newVersion: \"(\\d.*)\"");
    for (String tested : found(plugin, pom, 1)) {
      assertThat(document).contains("rewrite-maven-plugin:" + tested + ":run");
    }
    for (String own : found(version, recipe(), 1)) {
      assertThat(document).contains("cistern-buffer-core:" + own + " ");
    }
    assertThat(found(plugin, pom, 1)).hasSize(1);
    assertThat(found(version, recipe(), 1)).hasSize(1);
    assertThat(found(Pattern.compile("name: (dev\\.cistern\\.\\w+)"), recipe(), 1))
        .allSatisfy(name -> assertThat(document).contains("`" + name + "`"));
  }
}
