/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.push;

import dev.cistern.exporter.profile.OtlpProfiles;
import dev.cistern.exporter.profile.PyroscopeProfiles;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests of a push of profiles, one for each running host. Not thread-safe. */
final class ProfileRequests implements Requests {
  private final Hosts hosts;
  private final PushFormat format;

  /** Time of the last accepted profile of each host, in milliseconds since the epoch. */
  private final Map<String, Long> pushedMillis = new HashMap<>();

  ProfileRequests(Hosts hosts, PushFormat format) {
    this.hosts = hosts;
    this.format = format;
  }

  @Override
  public List<Profile> pending() {
    List<Profile> up = hosts.all().stream().filter(HostView::isUp).map(Profile::new).toList();
    pushedMillis.keySet().retainAll(up.stream().map(profile -> profile.host.id()).toList());
    return up;
  }

  /** The profile of one host. */
  final class Profile implements Pending {
    private final HostView host;
    private long timeMillis;

    private Profile(HostView host) {
      this.host = host;
    }

    @Override
    public byte @Nullable [] encode() throws IOException {
      HostView report = hosts.fullReport(host);
      timeMillis = report.timeMillis();
      boolean isKnown = pushedMillis.getOrDefault(host.id(), -1L) == timeMillis;
      if (isKnown || report.copies().stream().allMatch(copy -> copy.live().stacks().isEmpty())) {
        return null; // the host does not report, or has no live buffers
      }
      return format == PushFormat.PYROSCOPE
          ? PyroscopeProfiles.encode(report, hosts.areOthers())
          : OtlpProfiles.encode(report, hosts.areOthers());
    }

    @Override
    public void accepted() {
      pushedMillis.put(host.id(), timeMillis);
    }
  }
}
