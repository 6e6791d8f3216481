/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.agent.netty.NettyCopyState;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.leak.report.LeakEntry;
import dev.cistern.leak.report.LeakRecord;
import dev.cistern.leak.report.SiteTrend;
import dev.cistern.leak.report.StackDetail;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;

/**
 * Writes events of the flight recorder. The agent's thread only.
 *
 * <p>A runtime without {@code jdk.jfr} cannot load this class. The classes of the events are not
 * loaded before a recording begins.
 */
final class JfrEvents {
  private final Map<NettyCopy, Written> written = new WeakHashMap<>();
  private long refusals;

  /** The last values of a copy. An event is written when a value changes. */
  private static final class Written {
    Mode mode = Mode.OFF;
    boolean isRefused;
    final long[] fallbacks = new long[4];
    final Map<String, Long> leaks = new HashMap<>();
    final Map<String, Long> suspects = new HashMap<>();
  }

  private Written last(NettyCopy copy) {
    Written last = written.get(copy);
    if (last == null) {
      last = new Written();
      written.put(copy, last);
    }
    return last;
  }

  /** Writes the mode of a copy if it has changed, and a refusal of the copy. */
  void writeMode(NettyCopy copy) {
    Written last = last(copy);
    Mode before = last.mode;
    last.mode = copy.mode();
    if (!last.mode.equals(before) && FlightRecorder.isInitialized()) {
      ModeChange event = new ModeChange();
      event.copy = copy.poolName();
      event.before = before.toString();
      event.mode = last.mode.toString();
      event.reason = copy.reason();
      event.source = copy.modeSource().label();
      event.commit();
    }
    boolean isRefused = copy.state() == NettyCopyState.REFUSED;
    if (isRefused && !last.isRefused) {
      writeRefusal(copy.poolName(), copy.reason(), 1);
    }
    last.isRefused = isRefused;
  }

  /** Writes the values that have changed since the last call. */
  void writeFigures(List<NettyCopy> copies) {
    for (NettyCopy copy : copies) {
      writeMode(copy);
      NettyBridge bridge = copy.hasAllocated() ? copy.bridge() : null;
      try {
        if (bridge != null) {
          writeFigures(copy, bridge);
        }
      } catch (RuntimeException | LinkageError failure) {
        copy.failed();
      }
    }
  }

  private void writeFigures(NettyCopy copy, NettyBridge bridge) {
    Written last = last(copy);
    boolean isRecording = FlightRecorder.isInitialized();
    for (int i = 0; i < last.fallbacks.length; i++) {
      boolean isDirect = i < 2;
      boolean isFault = i % 2 == 1;
      long count = bridge.fallbacks(isDirect, isFault);
      if (count > last.fallbacks[i] && isRecording) {
        Fallback event = new Fallback();
        event.copy = copy.poolName();
        event.memory = isDirect ? "direct" : "heap";
        event.reason = isFault ? "fault" : "memory";
        event.count = count - last.fallbacks[i];
        event.commit();
      }
      last.fallbacks[i] = count;
    }
    if (isRecording) {
      writeLeaks(copy, bridge, last.leaks);
      writeSuspects(copy, bridge, last.suspects);
    }
  }

  /** Writes new leaks. A recording begins with the leaks that were found before it. */
  private static void writeLeaks(NettyCopy copy, NettyBridge bridge, Map<String, Long> last) {
    if (!new Leak().isEnabled()) {
      last.clear();
      return;
    }
    Map<String, Long> before = Map.copyOf(last);
    last.clear(); // drop the sites that the store no longer keeps
    for (LeakEntry entry : bridge.leaks(StackDetail.SITE).entries()) {
      String site = entry.memory() + ' ' + entry.site();
      last.put(site, entry.found());
      if (before.getOrDefault(site, 0L) != entry.found()) {
        LeakRecord latest = entry.latest();
        Leak event = new Leak();
        event.copy = copy.poolName();
        event.memory = entry.memory();
        event.site = entry.site();
        event.found = entry.found();
        event.bytes = entry.bytes();
        event.latestBytes = latest.requestedBytes();
        event.latestAllocated = latest.allocatedMillis();
        event.latestThread = latest.thread();
        event.commit();
      }
    }
  }

  /** Writes new suspects. A recording begins with the present suspects. */
  private static void writeSuspects(NettyCopy copy, NettyBridge bridge, Map<String, Long> last) {
    if (!new Suspect().isEnabled()) {
      last.clear();
      return;
    }
    for (SiteTrend trend : bridge.live(StackDetail.SITE).trends()) {
      long since = trend.suspectSinceMillis();
      Long before = last.put(trend.memory() + ' ' + trend.site(), since);
      if (trend.isSuspect() && (before == null || before != since)) {
        Suspect event = new Suspect();
        event.copy = copy.poolName();
        event.memory = trend.memory();
        event.site = trend.site();
        event.since = since;
        event.minuteBytes = trend.minuteBytes();
        event.fiveMinutesBytes = trend.fiveMinutesBytes();
        event.commit();
      }
    }
  }

  /**
   * Writes an event about refused commands.
   *
   * @param total number of refusals since the start
   * @param reason cause of the last one
   */
  void writeRefusals(long total, String reason) {
    if (total > refusals) {
      writeRefusal("", reason, total - refusals);
    }
    refusals = total;
  }

  private static void writeRefusal(String copy, String reason, long count) {
    if (FlightRecorder.isInitialized()) {
      Refusal event = new Refusal();
      event.copy = copy;
      event.reason = reason;
      event.count = count;
      event.commit();
    }
  }

  @Category("Cistern")
  @StackTrace(false)
  abstract static class CopyEvent extends Event {
    @Label("Copy")
    @Description("Copy of Netty")
    String copy = "";
  }

  /** An event of an allocation site. */
  abstract static class SiteEvent extends CopyEvent {
    @Label("Memory")
    String memory = "";

    @Label("Site")
    String site = "";
  }

  @Name("dev.cistern.Leak")
  @Label("Leak")
  @Description("A site has leaked buffers: the garbage collector has taken them unreleased")
  static final class Leak extends SiteEvent {
    @Label("Leaks Found")
    @Description("Number of leaks found at this site since the store keeps it")
    long found;

    @Label("Leaked Bytes")
    @Description("Estimate of the bytes that this site has leaked since the store keeps it")
    @DataAmount
    long bytes;

    @Label("Latest Size")
    @Description("Requested bytes of the buffer that was found last")
    @DataAmount
    long latestBytes;

    @Label("Latest Allocation")
    @Description("Time when the buffer that was found last was allocated")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long latestAllocated;

    @Label("Latest Thread")
    @Description("Thread that allocated the buffer that was found last")
    String latestThread = "";
  }

  @Name("dev.cistern.Suspect")
  @Label("Suspect")
  @Description("The old live bytes of a site grow steadily")
  static final class Suspect extends SiteEvent {
    @Label("Suspect Since")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long since;

    @Label("Growth in a Minute")
    @DataAmount
    long minuteBytes;

    @Label("Growth in Five Minutes")
    @DataAmount
    long fiveMinutesBytes;
  }

  @Name("dev.cistern.ModeChange")
  @Label("Mode Change")
  @Description("A copy of Netty has another mode")
  static final class ModeChange extends CopyEvent {
    @Label("Mode Before")
    String before = "";

    @Label("Mode")
    String mode = "";

    @Label("Reason")
    String reason = "";

    @Label("Source")
    @Description("Source of the change, such as settings, jmx, failure or back_off")
    String source = "";
  }

  @Name("dev.cistern.Fallback")
  @Label("Fallback")
  @Description("Netty served allocations that the pool could not serve")
  static final class Fallback extends CopyEvent {
    @Label("Memory")
    String memory = "";

    @Label("Reason")
    @Description("memory if memory or stack was short, otherwise fault")
    String reason = "";

    @Label("Allocations")
    @Description("Number of allocations since the last event, about a second ago or longer")
    long count;
  }

  @Name("dev.cistern.Refusal")
  @Label("Refusal")
  @Description("Commands were refused, or a copy of Netty can be neither served nor observed")
  static final class Refusal extends CopyEvent {
    @Label("Reason")
    @Description("Cause of the last refusal")
    String reason = "";

    @Label("Refusals")
    long count;
  }
}
