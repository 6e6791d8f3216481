/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.regex.Pattern;

/** Several applications in one JVM, as a container runs them: each in a loader of its own. */
public final class ManyHosts {
  private ManyHosts() {}

  /** Runs {@link Host} once for each class path given. */
  public static void main(String[] classPaths) throws Exception {
    for (String classPath : classPaths) {
      String[] entries = Pattern.compile(File.pathSeparator, Pattern.LITERAL).split(classPath, -1);
      URL[] urls = new URL[entries.length];
      for (int i = 0; i < entries.length; i++) {
        urls[i] = new File(entries[i]).toURI().toURL();
      }
      try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
        Class.forName("example.host.Host", true, loader)
            .getMethod("main", String[].class)
            .invoke(null, (Object) new String[] {"swap"});
      }
    }
  }
}
