/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.regex.Pattern;

/** Several applications in one JVM, as in a container: each has its own loader. */
public final class ManyHosts {
  private ManyHosts() {}

  /** A loader that hides internal classes of the JDK, as OSGi's loaders do. */
  private static final class Strict extends ClassLoader {
    Strict() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("sun.misc.")) {
        return super.loadClass(name, resolve);
      }
      throw new ClassNotFoundException(name);
    }
  }

  /** The loader of an application in a container. It searches the application first. */
  private static final class Nested extends URLClassLoader {
    Nested(URL[] urls, ClassLoader container) {
      super(urls, container);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
          return known;
        }
        try {
          return findClass(name);
        } catch (ClassNotFoundException ofContainer) {
          return super.loadClass(name, resolve);
        }
      }
    }
  }

  /**
   * Runs {@link Host} once for each class path given.
   *
   * @param classPaths class paths of the applications. The last argument may be the argument of
   *     Host instead of {@code swap}, or {@code nested}: then each application runs inside the
   *     previous one
   */
  public static void main(String[] classPaths) throws Exception {
    String last = classPaths[classPaths.length - 1];
    String argument = last.startsWith("wait=") ? last : "swap";
    boolean isNested = last.equals("nested");
    ClassLoader container = new Strict();
    for (String classPath : classPaths) {
      if (classPath.equals(last) && (isNested || last.startsWith("wait="))) {
        continue;
      }
      String[] entries = Pattern.compile(File.pathSeparator, Pattern.LITERAL).split(classPath, -1);
      URL[] urls = new URL[entries.length];
      for (int i = 0; i < entries.length; i++) {
        urls[i] = new File(entries[i]).toURI().toURL();
      }
      ClassLoader loader =
          isNested ? new Nested(urls, container) : new URLClassLoader(urls, new Strict());
      Class.forName("example.host.Host", true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[] {argument});
      container = loader;
    }
  }
}
