/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.util.List;
import java.util.concurrent.TimeoutException;

/** The agent in this JVM, as {@code dev.cistern:type=Agent}. */
public interface AgentMXBean {
  /** Returns the agent's version. */
  String getVersion();

  /** Returns the mode of each copy of Netty that no pattern names, such as {@code swap}. */
  String getMode();

  /**
   * Returns the address of the HTTP endpoint, such as {@code metrics on
   * http://127.0.0.1:9471/metrics}, with the port that the system chose if the setting has port 0;
   * {@code no endpoint} if there is none; {@code not open yet} until a copy of Netty is to be
   * served or observed.
   */
  String getEndpoint();

  /** Returns each copy of Netty that was found. */
  List<NettyCopyInfo> getCopies();

  /** Returns the copies of Netty as text, with a line for each copy. */
  String inventory();

  /**
   * Lets the agent leave this JVM as soon as no memory of its pools is in use. Each copy of Netty
   * is off from then on; setting another mode ends the attempt.
   *
   * @return what the agent waits for, with its bytes; empty if it has left
   * @throws InterruptedException if the calling thread was interrupted
   */
  String detach() throws InterruptedException;

  /**
   * Waits for up to a second until the agent has left. Does not start a detachment itself.
   *
   * @return what the agent waits for, with its bytes; empty if it has left
   * @throws IllegalStateException if the agent stays, because a mode was set after {@link #detach}
   * @throws InterruptedException if the calling thread was interrupted
   */
  String awaitDetach() throws InterruptedException;

  /**
   * Sets the mode of copies, also of those that are found later.
   *
   * @param mode {@code swap}, {@code observe} or {@code off}
   * @param percent for {@code swap}: share of the allocations that the pool serves, 1 to 100
   * @param copies a pattern, such as {@code io.netty}, {@code io.grpc.*} or {@code *@app}; {@code
   *     *} for all that the settings do not exclude, which forgets the earlier patterns
   * @return the inventory after the change; a line that begins with {@code not changed: } for each
   *     copy of the pattern that does not have the mode, or if no copy matches
   * @throws IllegalArgumentException if an argument is malformed; the message names the allowed
   *     values
   * @throws TimeoutException if the agent's thread has not made the change within 30 seconds; it
   *     makes the change later
   * @throws InterruptedException if the calling thread was interrupted
   */
  String changeMode(String mode, int percent, String copies)
      throws TimeoutException, InterruptedException;
}
