/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;

/** What hosts left that are gone. */
public interface PostMortems {

  /** Returns all of them, the latest first. */
  List<PostMortem> all();

  /**
   * Returns the last state of a host, with everything that it had told.
   *
   * @throws IOException if it cannot be read any more
   */
  HostState state(PostMortem postMortem) throws IOException;
}
