/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.memory;

import java.io.IOException;

/** A host that holds the requests of bursts: {@code netty|bridged|library}. */
public final class BurstHost {
  /** The line that the host prints when it listens, without the port. */
  static final String READY = "ready ";

  private BurstHost() {}

  /** Serves until the standard input ends. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int port =
        switch (arguments[0]) {
          case "netty" -> NettyBurstServer.start(false);
          case "bridged" -> NettyBurstServer.start(true);
          case "library" -> LibraryBurstServer.start();
          default -> throw new IllegalArgumentException("host: " + arguments[0]);
        };
    System.out.println(READY + port);
    System.in.readAllBytes(); // blocks until the parent ends
    System.exit(0); // the threads of the loops do not end
  }
}
