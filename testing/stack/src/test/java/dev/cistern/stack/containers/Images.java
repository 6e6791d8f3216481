/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.stack.containers;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** The ingredients of these tests' images. */
final class Images {
  private static final Path AGENT = Path.of(System.getProperty("cistern.agent"));
  private static final String VERSION_FILE = "inst/cistern-agent.properties";

  private Images() {}

  /** Returns the version of the agent that was built. */
  static String version() throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(AGENT);
        InputStream in = Files.newInputStream(jar.getPath(VERSION_FILE))) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }

  /**
   * Builds an image of the agent with another {@code version}. There is no earlier release, so it
   * contains the same code with another version number. The tests of the readers cover stats files
   * of another format.
   */
  static String agentOfVersion(String version, String image)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("agent");
    Path copy = Files.copy(AGENT, directory.resolve("cistern-agent.jar"));
    URI uri = URI.create("jar:" + copy.toUri());
    try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
      Files.writeString(jar.getPath(VERSION_FILE), "version=" + version + "\n");
    }
    Path file =
        Files.writeString(
            directory.resolve("Dockerfile"),
            "FROM " + image + "\nCOPY cistern-agent.jar /opt/cistern/cistern-agent.jar\n");
    String tag = "cistern/agent:test-" + version;
    Docker.run("build", "-q", "-t", tag, directory.toString());
    for (Path each : List.of(copy, file, directory)) {
      Files.delete(each);
    }
    return tag;
  }
}
