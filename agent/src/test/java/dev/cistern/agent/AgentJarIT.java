/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * The parts of the packaged agent that its host can and cannot see, as
 * docs/internals/architecture.md says.
 */
class AgentJarIT {
  private static final Path JAR = Path.of("target", "cistern-agent.jar");

  /** The classes that the agent defines in Netty's own package. */
  private static final Set<String> HOOKS =
      Set.of(
          "bridge/io/netty/buffer/CisternHolders.classdata",
          "bridge/io/netty/buffer/CisternHook.classdata",
          "bridge/io/netty/buffer/CisternLeakAwareByteBuf.classdata",
          "bridge/io/netty/buffer/CisternMemoryMetrics.classdata",
          "bridge/io/netty/buffer/CisternObserver.classdata",
          "bridge/io/netty/buffer/CisternEvents.classdata",
          "bridge/io/netty/buffer/CisternTrackers.classdata",
          "bridge/io/netty/channel/CisternChannels.classdata",
          "bridge/io/netty/util/internal/CisternMemory.classdata");

  /** The packages that the agent and its bridges share. */
  private static final String SHARED = "dev/cistern/(bridge/api|leak/report|stats)/[^/]+";

  private static final String LIBRARIES =
      "(at/favre|com/google/protobuf|com/grack|io/prometheus|org/apache|org/objectweb|org/snakeyaml|picocli)/.*";

  private JarFile jar;
  private Set<String> entries;

  @BeforeEach
  void open() throws IOException {
    jar = new JarFile(JAR.toFile());
    entries =
        jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).collect(toSet());
  }

  @AfterEach
  void close() throws IOException {
    jar.close();
  }

  @Test
  void theHostSeesOnlyTheBootPackage() {
    assertThat(entries)
        .filteredOn(name -> name.endsWith(".class"))
        .isNotEmpty()
        .allMatch(name -> name.matches("dev/cistern/agent/boot/[^/]+\\.class"));
    assertThat(entries)
        .allMatch(name -> name.matches("(META-INF|inst|bridge|dev/cistern/agent/boot)/.*"));
    assertThat(entries).noneMatch(name -> name.matches("META-INF/(services|versions)/.*"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bridge", "netty/pool", "util", "memory", "trace", "leak", "pool"})
  void theBridgePartHoldsTheBridgeAndTheEngine(String packageName) {
    String directory = "bridge/dev/cistern/" + packageName + "/";
    assertThat(entries).anyMatch(name -> name.startsWith(directory) && name.endsWith(".classdata"));
  }

  @Test
  void theBridgePartHoldsNothingElseButTheHooks() {
    assertThat(entries)
        .filteredOn(name -> name.startsWith("bridge/"))
        .containsAll(HOOKS)
        .allMatch(
            name ->
                HOOKS.contains(name)
                    || name.matches(
                        "bridge/dev/cistern/(bridge|netty/pool|util|memory|trace|leak|pool)/.*\\.classdata"));
  }

  /** Both loaders share the classes of reports; otherwise a bridge could not return one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev/cistern/bridge/api/NettyBridge",
        "dev/cistern/leak/report/LeakReport",
        "dev/cistern/stats/PoolSnapshot",
      })
  void theSharedPackagesAreInTheIsolatedPartOnly(String className) {
    assertThat(entries).contains("inst/" + className + ".classdata");
    assertThat(entries).noneMatch(name -> name.matches("bridge/" + SHARED));
  }

  /** The label of a way is the same in each loader. */
  @Test
  void theSharedPackagesNameNoClassOfABridge() throws IOException {
    assertThat(namedBy("inst/" + SHARED))
        .filteredOn(name -> name.startsWith("dev/cistern/") || name.startsWith("io/netty/"))
        .hasSizeGreaterThan(20)
        .allMatch(name -> name.matches(SHARED) || name.equals("dev/cistern/memory/MemoryWay"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dev/cistern/agent/package-info",
        "dev/cistern/exporter/package-info",
        "dev/cistern/stats/package-info",
        "org/objectweb/asm/ClassReader",
        "io/prometheus/metrics/model/snapshots/MetricSnapshots",
        "org/apache/hc/core5/http/impl/io/SessionInputBufferImpl",
        "org/snakeyaml/engine/v2/api/Load",
        "picocli/CommandLine",
      })
  void theIsolatedPartHoldsTheAgentAndItsLibraries(String className) {
    assertThat(entries).contains("inst/" + className + ".classdata");
  }

  /** A missing class would fail only in a host, when the host first needs it. */
  @ParameterizedTest
  @ValueSource(strings = {"bridge/", "inst/"})
  void eachPartContainsTheCisternClassesThatItRefersTo(String part) throws IOException {
    assertThat(namedBy(part + "(dev/cistern|io/netty)/.*"))
        .filteredOn(name -> name.startsWith("dev/cistern/"))
        .filteredOn(name -> !name.startsWith("dev/cistern/netty42/")) // the host's own classes
        .hasSizeGreaterThan(50)
        .allMatch(
            name ->
                entries.contains((name.matches(SHARED) ? "inst/" : part) + name + ".classdata")
                    || entries.contains(name + ".class"));
  }

  /** A library class whose code refers to an excluded class can fail when the JVM verifies it. */
  @Test
  void theLibraryClassesThatTheAgentNamesLink() throws IOException {
    Set<String> libraries = namedBy("inst/dev/cistern/.*");
    libraries.removeIf(name -> !name.matches(LIBRARIES));
    ClassLoader loader = new InstLoader();
    assertThat(libraries)
        .hasSizeGreaterThan(50)
        .allSatisfy(
            name ->
                // links the class without running its initializer
                assertThat(
                        Class.forName(name.replace('/', '.'), false, loader)
                            .getDeclaredConstructors())
                    .isNotNull());
  }

  /** Defines classes of the isolated part, as the agent's own loader does. */
  private final class InstLoader extends ClassLoader {
    InstLoader() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      ZipEntry entry = jar.getEntry("inst/" + name.replace('.', '/') + ".classdata");
      if (entry == null) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream in = jar.getInputStream(entry)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  /** Returns the names of all classes that the class files of some entries refer to. */
  private Set<String> namedBy(String pattern) throws IOException {
    Set<String> named = new TreeSet<>();
    Remapper collector =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String internalName) {
            named.add(internalName);
            return internalName;
          }
        };
    for (String entry : entries) {
      if (entry.matches(pattern) && entry.endsWith(".classdata")) {
        try (InputStream bytes = jar.getInputStream(jar.getEntry(entry))) {
          new ClassReader(bytes).accept(new ClassRemapper(new ClassWriter(0), collector), 0);
        }
      }
    }
    return named;
  }

  @Test
  void theJarIsSmall() {
    assertThat(JAR.toFile().length()).isPositive().isLessThanOrEqualTo(4L << 20);
  }

  @Test
  void theHostHasByteBufsOfItsOwn() {
    assertThat(entries).noneMatch(name -> name.contains("/dev/cistern/buffer/"));
  }

  @Test
  void theIsolatedPartKnowsNeitherTheBootPackageNorTheBridge() {
    assertThat(entries)
        .noneMatch(name -> name.startsWith("inst/dev/cistern/agent/boot/"))
        .noneMatch(name -> name.matches("inst/dev/cistern/(bridge/[^/]*|netty/.*)"));
  }

  @Test
  void theJarContainsNoCopyOfNetty() {
    assertThat(entries)
        .filteredOn(name -> name.matches("(inst/|bridge/)?io/netty/.*"))
        .containsExactlyInAnyOrderElementsOf(HOOKS);
  }

  @Test
  void theManifestNamesTheEntryAndTheRights() throws IOException {
    Attributes manifest = jar.getManifest().getMainAttributes();
    assertThat(manifest.getValue("Premain-Class")).isEqualTo("dev.cistern.agent.boot.CisternAgent");
    assertThat(manifest.getValue("Agent-Class")).isEqualTo("dev.cistern.agent.boot.CisternAgent");
    assertThat(entries).contains("dev/cistern/agent/boot/CisternAgent.class");
    assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
    assertThat(manifest.getValue("Can-Redefine-Classes")).isEqualTo("true");
    assertThat(manifest.getValue("Implementation-Version")).isNotBlank();
  }

  @Test
  void theJarContainsTheLicencesOfItsContent() {
    assertThat(entries).contains("META-INF/LICENSE", "META-INF/NOTICE");
  }

  @Tag("G4")
  @Test
  void theJarContainsItsVersionAndCommit() throws IOException {
    Properties versions = new Properties();
    versions.load(jar.getInputStream(jar.getEntry("META-INF/cistern.versions.properties")));
    assertThat(versions.stringPropertyNames())
        .containsExactlyInAnyOrder(
            "cistern-agent.version",
            "cistern-agent.buildDate",
            "cistern-agent.commitDate",
            "cistern-agent.shortCommitHash",
            "cistern-agent.longCommitHash",
            "cistern-agent.repoStatus");
    assertThat(versions.getProperty("cistern-agent.version"))
        .isEqualTo(jar.getManifest().getMainAttributes().getValue("Implementation-Version"));
  }
}
