/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import com.grack.nanojson.JsonParser;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The SBOM lists what the archive contains. The test's class path has the published jars of the
 * libraries, so that the test can find each class of the archive's jars in its original jar.
 */
@Tag("smoke")
class SbomIT {
  private static final String OWN = "dev.cistern";
  private static final String NETTY = "io.netty";

  /** Pattern of Cistern's classes. Some are in Netty's packages, whose members they use. */
  private static final Pattern OUR_CLASS =
      Pattern.compile("^dev/cistern/|^io/netty/.*/Cistern\\w+$");

  /** A component: its names, its version, and the components inside. */
  record Component(String group, String name, String version, String purl, JsonObject json) {
    static Component of(JsonObject json) {
      return new Component(
          json.getString("group", ""),
          json.getString("name"),
          json.getString("version"),
          json.getString("purl"),
          json);
    }

    /** Returns the path of the jar in a Maven repository. */
    Path jar() {
      return Path.of(group.replace('.', '/'), name, version, name + "-" + version + ".jar");
    }

    @Override
    public String toString() {
      return purl;
    }
  }

  @TempDir static Path temporary;
  private static Path lib;
  private static JsonObject sbom;
  private static List<Component> components;

  @BeforeAll
  static void read() throws Exception {
    Path unpacked = Archive.unpack(temporary);
    lib = unpacked.resolve("lib");
    sbom = JsonParser.object().from(Files.readString(unpacked.resolve("sbom.cdx.json")));
    components = components(sbom);
  }

  private static List<Component> components(JsonObject parent) {
    return parent.getArray("components", new JsonArray()).stream()
        .map(json -> Component.of((JsonObject) json))
        .toList();
  }

  private static List<Component> of(String group) {
    return components.stream().filter(component -> component.group().equals(group)).toList();
  }

  /** Returns the libraries whose classes are in the jars of the agent and the exporter. */
  private static List<Component> included() {
    return components.stream()
        .filter(component -> component.purl().startsWith("pkg:maven/"))
        .filter(component -> !component.group().equals(OWN) && !component.group().equals(NETTY))
        .toList();
  }

  @Test
  void itFollowsTheFormat() {
    assertThat(sbom.getString("bomFormat")).isEqualTo("CycloneDX");
    assertThat(sbom.getString("specVersion")).isEqualTo("1.6");
    assertThat(sbom.getObject("metadata").getObject("component").getString("version"))
        .isEqualTo(System.getProperty("cistern.version"));
    List<Component> all = new ArrayList<>(components);
    components.forEach(component -> all.addAll(components(component.json())));
    assertThat(all)
        .allSatisfy(
            component -> {
              assertThat(component.version()).matches("[0-9][^${}]*");
              assertThat(component.purl()).endsWith(component.name() + "@" + component.version());
              assertThat(component.json().getString("bom-ref")).isEqualTo(component.purl());
              assertThat(component.json().getArray("licenses")).isNotEmpty();
            });
    assertThat(all).extracting(Component::purl).doesNotHaveDuplicates();
    Set<String> known = all.stream().map(Component::purl).collect(Collectors.toSet());
    for (Object dependency : sbom.getArray("dependencies")) {
      assertThat(known).containsAll(strings(((JsonObject) dependency).getArray("dependsOn")));
    }
  }

  private static List<String> strings(JsonArray array) {
    return array.stream().map(Object::toString).toList();
  }

  @Test
  void eachIncludedClassComesFromAListedLibrary() throws Exception {
    Map<Component, Set<String>> classes =
        included().stream()
            .collect(Collectors.toMap(component -> component, SbomIT::publishedClasses));
    Set<String> unlisted = new TreeSet<>();
    Set<Component> unused = new HashSet<>(classes.keySet());
    for (String jar : List.of("cistern-agent.jar", "cistern-exporter.jar")) {
      for (String name : classNames(lib.resolve(jar))) {
        if (OUR_CLASS.matcher(name).find()) {
          continue;
        }
        List<Component> from =
            classes.keySet().stream().filter(each -> classes.get(each).contains(name)).toList();
        unused.removeAll(from);
        if (from.isEmpty()) {
          unlisted.add(jar + ": " + name);
        }
      }
    }
    assertThat(unlisted).as("classes of libraries that the SBOM does not list").isEmpty();
    assertThat(unused).as("libraries in the SBOM that no jar contains").isEmpty();
  }

  /** Returns the classes of a library's jar, which the class path has in the listed version. */
  private static Set<String> publishedClasses(Component component) {
    String jar = component.jar().toString();
    Path file =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith(File.separator + jar))
            .findFirst()
            .map(Path::of)
            .orElseThrow(() -> new AssertionError("the class path has no " + jar));
    return classNames(file);
  }

  /**
   * Returns the class names of a jar, as a loader uses them. The agent keeps most of its classes as
   * data.
   */
  private static Set<String> classNames(Path jar) {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .map(ZipEntry::getName)
          .filter(name -> name.endsWith(".class") || name.endsWith(".classdata"))
          .map(name -> name.replaceFirst("^(inst|bridge|META-INF/versions/\\d+)/", ""))
          .map(name -> name.replaceFirst("\\.class(data)?$", ""))
          .filter(name -> !name.equals("module-info"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new AssertionError("cannot read " + jar, e);
    }
  }

  @Test
  void eachNettyJarIsListed() throws Exception {
    Set<String> jars = new TreeSet<>();
    for (String directory : List.of("netty-4.1", "netty-4.2")) {
      try (Stream<Path> files = Files.list(lib.resolve(directory))) {
        files.forEach(file -> jars.add(file.getFileName().toString()));
      }
    }
    assertThat(of(NETTY))
        .extracting(component -> component.jar().getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(jars);
  }

  /** Netty contains copies of other libraries, under other names. */
  @Test
  void librariesInLibrariesAreListed() throws Exception {
    for (Component netty : of(NETTY)) {
      String line = netty.version().startsWith("4.1.") ? "netty-4.1" : "netty-4.2";
      assertThat(components(netty.json()))
          .as("%s", netty)
          .extracting(Component::purl)
          .containsExactlyInAnyOrderElementsOf(
              inside(lib.resolve(line).resolve(netty.jar().getFileName()), netty));
    }
  }

  /** Returns the libraries whose Maven descriptors a jar has in addition to its own. */
  private static List<String> inside(Path jar, Component own) throws IOException {
    List<String> purls = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        if (entry.getName().endsWith("/pom.properties")) {
          Properties properties = new Properties();
          properties.load(zip.getInputStream(entry));
          String name = properties.getProperty("artifactId");
          if (!name.equals(own.name())) {
            purls.add(
                "pkg:maven/"
                    + properties.getProperty("groupId")
                    + "/"
                    + name
                    + "@"
                    + properties.getProperty("version"));
          }
        }
      }
    }
    return purls;
  }

  @Test
  void thePagesLibrariesAreListed() throws Exception {
    String page = "dev/cistern/exporter/page/lib/";
    try (ZipFile zip = new ZipFile(lib.resolve("cistern-exporter.jar").toFile())) {
      Set<String> libraries =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.startsWith(page) && name.length() > page.length())
              .map(name -> name.substring(page.length()).replaceFirst("/.*", ""))
              .collect(Collectors.toSet());
      assertThat(components)
          .filteredOn(component -> component.purl().startsWith("pkg:npm/"))
          .extracting(Component::name)
          .containsExactlyInAnyOrderElementsOf(libraries);
    }
  }
}
