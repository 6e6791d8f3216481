/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.common;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Several hosts in one JVM, each in a separate class loader, as in a container. */
public final class ManyHosts {
  private ManyHosts() {}

  /**
   * Serves until the standard input closes.
   *
   * @param arguments three words for each host: a class path, a main class, its only argument
   */
  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < arguments.length; i += 3) {
      for (int port : start(arguments[i], arguments[i + 1], arguments[i + 2])) {
        ports.add(port);
      }
    }
    Lifetime.serve(ports.stream().mapToInt(Integer::intValue).toArray());
  }

  private static int[] start(String classPath, String main, String argument)
      throws IOException, ReflectiveOperationException {
    String[] entries = Pattern.compile(File.pathSeparator, Pattern.LITERAL).split(classPath, -1);
    URL[] urls = Arrays.stream(entries).flatMap(ManyHosts::files).toArray(URL[]::new);
    ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    return (int[])
        Class.forName(main, true, loader)
            .getMethod("start", String[].class)
            .invoke(null, (Object) new String[] {argument});
  }

  /**
   * Returns the files of an entry: one file, or all jars of a directory if the entry ends with a
   * star.
   */
  private static Stream<URL> files(String entry) {
    if (!entry.endsWith("*")) {
      return Stream.of(url(Path.of(entry)));
    }
    Path folder = Path.of(entry.substring(0, entry.length() - 1));
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(ManyHosts::url).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
