/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import java.util.List;
import java.util.concurrent.TimeoutException;

/** The agent in this JVM, as {@code dev.cistern:type=Agent}. */
public interface AgentMXBean {
  /** The agent's version. */
  String getVersion();

  /** The mode of each copy of Netty that no pattern names, such as {@code swap}. */
  String getMode();

  /**
   * Returns the address of the HTTP endpoint, such as {@code metrics on
   * http://127.0.0.1:9471/metrics}, with the port that the system chose if the setting has port 0;
   * {@code no endpoint} if there is none; {@code not open yet} until a copy of Netty is to be
   * served or observed.
   */
  String getEndpoint();

  /** Each copy of Netty that was found. */
  List<CopyLine> getCopies();

  /** The same as text: a line for each copy. */
  String inventory();

  /**
   * Sets the mode, of copies that are yet to come too.
   *
   * @param mode {@code swap}, {@code observe} or {@code off}
   * @param percent for {@code swap}, how many of a hundred allocations our pool serves: 1 to 100
   * @param copies a pattern, such as {@code io.netty}, {@code io.grpc.*} or {@code *@app}; {@code
   *     *} for all that the settings do not exclude, which takes back what was said of others
   * @return the inventory after the change; a line that begins with {@code not changed: } for each
   *     copy that is meant and could not follow, or if there is none
   * @throws IllegalArgumentException if an argument is malformed; the message says what is allowed
   * @throws TimeoutException if the agent's thread has not come to it within 30 seconds; it will
   *     follow when it does
   * @throws InterruptedException if the calling thread was interrupted
   */
  String changeMode(String mode, int percent, String copies)
      throws TimeoutException, InterruptedException;
}
