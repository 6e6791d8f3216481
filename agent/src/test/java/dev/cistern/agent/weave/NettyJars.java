/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** The class files of the published Netty jars, unchanged or relocated. */
public final class NettyJars {
  private NettyJars() {}

  /**
   * Returns the jars of a line, {@code 4.1} or {@code 4.2}, that every application with Netty has.
   */
  public static Path[] of(String line) {
    return new Path[] {jar("buffer", line), jar("common", line)};
  }

  /** Returns these jars with those of the transport and the codecs for HTTP. */
  public static Path[] withTransport(String line) {
    return Stream.of("buffer", "common", "transport", "codec", "codec-http")
        .map(module -> jar(module, line))
        .toArray(Path[]::new);
  }

  private static Path jar(String module, String line) {
    return Path.of("target", "netty", "netty-" + module + '-' + line + ".jar").toAbsolutePath();
  }

  /** Returns all class files by internal name, with those of the transport and the codecs. */
  public static Map<String, byte[]> classFiles(String line) {
    Map<String, byte[]> classFiles = new HashMap<>();
    for (String module : new String[] {"buffer", "common", "transport", "codec"}) {
      Path path = jar(module, line);
      try (JarFile jar = new JarFile(path.toFile())) {
        jar.stream()
            .filter(entry -> entry.getName().endsWith(".class"))
            .filter(entry -> !entry.getName().startsWith("META-INF/"))
            .forEach(entry -> put(classFiles, jar, entry.getName()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return classFiles;
  }

  private static void put(Map<String, byte[]> classFiles, JarFile jar, String name) {
    try (var in = jar.getInputStream(jar.getEntry(name))) {
      classFiles.put(name.substring(0, name.length() - ".class".length()), in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns class files with another prefix, as a shading build creates them. */
  public static Map<String, byte[]> relocated(Map<String, byte[]> classFiles, String prefix) {
    Remapper remapper =
        new Remapper(org.objectweb.asm.Opcodes.ASM9) {
          @Override
          public String map(String name) {
            return name.startsWith("io/netty/")
                ? prefix + name.substring("io/netty".length())
                : name;
          }
        };
    Map<String, byte[]> relocated = new HashMap<>();
    classFiles.forEach(
        (name, classFile) -> {
          ClassWriter writer = new ClassWriter(0);
          new ClassReader(classFile).accept(new ClassRemapper(writer, remapper), 0);
          relocated.put(remapper.map(name), writer.toByteArray());
        });
    return relocated;
  }

  /** Returns a class file of Cistern from the test's class path. */
  public static byte[] own(String className) {
    try (var in = NettyJars.class.getClassLoader().getResourceAsStream(className + ".class")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a loader of such class files, and of no other class of Netty. */
  public static ClassLoader loader(Function<String, byte[]> classFiles, ClassLoader parent) {
    return new ClassLoader(parent) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] classFile = classFiles.apply(name.replace('.', '/'));
        if (classFile == null) {
          throw new ClassNotFoundException(name);
        }
        return defineClass(name, classFile, 0, classFile.length);
      }
    };
  }
}
