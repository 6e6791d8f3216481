/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The TCP ports on which a process listens, as the kernel lists them. */
final class ListeningSockets {
  private static final String LISTEN_STATE = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private ListeningSockets() {}

  static Set<Integer> ports(long pid) throws IOException {
    Path process = Path.of("/proc", String.valueOf(pid));
    Set<String> own = socketInodes(process.resolve("fd"));
    Set<Integer> ports = new TreeSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        String[] fields = line.trim().split(" +", -1);
        if (fields[STATE].equals(LISTEN_STATE) && own.contains(fields[INODE])) {
          ports.add(Integer.parseInt(fields[ADDRESS].replaceFirst(".*:", ""), 16));
        }
      }
    }
    return ports;
  }

  private static Set<String> socketInodes(Path descriptors) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path each : all) {
        try {
          inodes.add(Files.readSymbolicLink(each).toString().replaceAll("socket:\\[|]", ""));
        } catch (NoSuchFileException closed) {
          // closed since the directory was read
        }
      }
    }
    return inodes;
  }
}
