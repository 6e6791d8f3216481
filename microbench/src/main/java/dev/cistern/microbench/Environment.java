/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.util.Version;

/** Where and with what a run was made: without it a figure means nothing. */
public final class Environment {
  private Environment() {}

  static Map<String, String> facts(BenchOptions options, Jdk jdk) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "machine", processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("JVM of the forks", jdk.version());
    facts.put(
        "arguments of all forks", "`" + String.join(" ", Fork.commonArguments(options)) + "`");
    facts.put("JMH " + Version.getPlainVersion(), options.describe());
    facts.put("Netty", nettyVersion());
    facts.put("revision", revision());
    return facts;
  }

  /** The version of Netty on the class path. */
  public static String nettyVersion() {
    io.netty.util.Version version = io.netty.util.Version.identify().get("netty-buffer");
    return version == null ? "unknown" : version.artifactVersion();
  }

  /** The processor's name. */
  public static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (Files.isReadable(info)) {
      for (String line : Files.readAllLines(info, StandardCharsets.UTF_8)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch").toLowerCase(Locale.ROOT);
  }

  /** What is checked out here; what was built may be older. */
  public static String revision() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty")
              .redirectErrorStream(true)
              .start();
      try (InputStream output = git.getInputStream()) {
        String said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
        return git.waitFor() == 0 ? said : "unknown";
      }
    } catch (IOException noGit) {
      return "unknown";
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }
}
