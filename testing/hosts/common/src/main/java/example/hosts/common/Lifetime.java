/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.common;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The ready line of a host, and the condition for its end. */
public final class Lifetime {
  private Lifetime() {}

  /**
   * Prints {@code ready port=N}, with more ports separated by commas. Ends the JVM when the
   * standard input closes, for example because the parent process has ended.
   *
   * @throws IOException if the standard input cannot be read
   */
  public static void serve(int... ports) throws IOException {
    String list = Arrays.stream(ports).mapToObj(String::valueOf).collect(Collectors.joining(","));
    System.out.println("ready port=" + list);
    System.in.transferTo(OutputStream.nullOutputStream());
    System.exit(0);
  }
}
