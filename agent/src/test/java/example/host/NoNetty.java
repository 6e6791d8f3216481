/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

/** An application without Netty. */
public final class NoNetty {
  private NoNetty() {}

  /** Prints that it ran. */
  public static void main(String[] arguments) {
    System.out.println("done");
  }
}
