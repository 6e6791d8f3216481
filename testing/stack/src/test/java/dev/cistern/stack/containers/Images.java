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

/** What the images of these tests are made of. */
final class Images {
  private static final Path AGENT = Path.of(System.getProperty("cistern.agent"));
  private static final String VERSION_FILE = "inst/cistern-agent.properties";

  private Images() {}

  /** The version of the agent that was built. */
  static String version() throws IOException {
    try (FileSystem jar = FileSystems.newFileSystem(AGENT);
        InputStream in = Files.newInputStream(jar.getPath(VERSION_FILE))) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }

  /**
   * An image of the agent that calls itself {@code version}. There is no release before this one:
   * it is the same code by another name; that stats files of another format are read is the
   * readers' test.
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
