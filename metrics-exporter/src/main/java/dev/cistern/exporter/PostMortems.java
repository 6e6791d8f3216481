/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

import java.io.IOException;
import java.util.List;

/** What hosts left that are gone. */
public interface PostMortems {
  /** There are none. */
  PostMortems NONE =
      new PostMortems() {
        @Override
        public List<PostMortem> all() {
          return List.of();
        }

        @Override
        public HostState state(PostMortem postMortem) throws IOException {
          throw new IOException("there are no post-mortems");
        }
      };

  /** Returns all of them, the latest first. */
  List<PostMortem> all();

  /**
   * Returns the last state of a host, with everything that it had told.
   *
   * @throws IOException if it cannot be read any more
   */
  HostState state(PostMortem postMortem) throws IOException;
}
