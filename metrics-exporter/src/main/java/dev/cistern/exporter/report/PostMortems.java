/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.report;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Post-mortems of processes that have ended. */
public interface PostMortems {
  /** Returns all post-mortems, the latest first. */
  List<PostMortem> all();

  /** Returns the post-mortem of a host; null if there is none. */
  default @Nullable PostMortem find(String hostId) {
    return all().stream().filter(each -> each.host().id().equals(hostId)).findFirst().orElse(null);
  }

  /**
   * Returns the complete last report of a host.
   *
   * @throws IOException if it cannot be read any more
   */
  HostView state(PostMortem postMortem) throws IOException;

  /**
   * Returns the last hour of a host.
   *
   * @throws IOException if it cannot be read any more
   */
  History history(PostMortem postMortem) throws IOException;
}
