/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Collections;
import java.util.Enumeration;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Class loader of the agent's other classes, from {@code inst/} in the agent's jar. They and the
 * application's classes cannot refer to each other, because the parent is the platform loader. For
 * the command line, which has no application, the parent is the system loader, which has the JDK's
 * tools.
 *
 * <p>As a function it returns the bytes of a jar entry, for code that defines classes in other
 * loaders.
 */
final class AgentLoader extends ClassLoader implements Function<String, byte @Nullable []> {
  private static final String FOLDER = "inst/";
  private static final String SUFFIX = ".classdata";

  static {
    registerAsParallelCapable();
  }

  private final JarFile jar;
  private final String jarUrl;
  private final ProtectionDomain domain;

  private AgentLoader(ClassLoader parent, JarFile jar, String jarUrl, ProtectionDomain domain) {
    super("cistern-agent", parent);
    this.jar = jar;
    this.jarUrl = jarUrl;
    this.domain = domain;
  }

  /** Opens the jar of this class; the loaded classes can refer to those of {@code parent}. */
  static AgentLoader open(ClassLoader parent) throws IOException, URISyntaxException {
    ProtectionDomain domain = AgentLoader.class.getProtectionDomain();
    CodeSource source = domain.getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IOException("cannot find the jar of the agent");
    }
    File file = new File(source.getLocation().toURI());
    return new AgentLoader(
        parent, new JarFile(file, false), "jar:" + source.getLocation() + "!/" + FOLDER, domain);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = apply(FOLDER + name.replace('.', '/') + SUFFIX);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length, domain);
  }

  @Override
  public byte @Nullable [] apply(String entryName) {
    JarEntry entry = jar.getJarEntry(entryName);
    if (entry == null) {
      return null;
    }
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    } catch (IOException unreadable) {
      return null;
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    if (jar.getJarEntry(FOLDER + name) == null) {
      return null;
    }
    try {
      return new URL(jarUrl + name);
    } catch (MalformedURLException impossible) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return found == null
        ? Collections.emptyEnumeration()
        : Collections.enumeration(Collections.singleton(found));
  }
}
