/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.ModeRequest;
import dev.cistern.agent.report.AgentControl;
import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostFigures;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.statsfile.ControlFileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Sets modes by the control file beside a stats file. */
final class ModeByFile {
  /** Limits the wait for the agent, which reads the file and writes its report once a second. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Time for the report of the other copies, after the first one has changed. */
  private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final String FILE = "file";

  private ModeByFile() {}

  /** Returns a request as the agent reads it. */
  static String line(ModeRequest request) {
    return "mode="
        + request.mode().kind().label()
        + ",percent="
        + request.mode().percent()
        + ",copies="
        + request.copies();
  }

  /** Sends a request and returns the report that shows its effect. */
  static HostView send(AgentProcess agent, ModeRequest request) throws HostException {
    HostView before = agent.report();
    Path control = agent.file().resolveSibling(agent.identity().id() + ControlFileNames.OWNER);
    boolean isNew = !Files.exists(control, LinkOption.NOFOLLOW_LINKS);
    try {
      LocalProcess process = agent.process();
      boolean needsOwner = process != null && !process.isInSameUserNamespace();
      write(control, agent.file(), line(request) + '\n', needsOwner);
      return await(agent, before, request, control);
    } catch (AccessDeniedException forbidden) {
      throw new HostException(
          "cannot write "
              + control
              + ": permission denied; run as root or as user "
              + owner(agent));
    } catch (IOException failed) {
      throw new HostException("cannot write " + control, failed);
    } finally {
      if (isNew) {
        delete(control);
      }
    }
  }

  private static HostView await(
      AgentProcess agent, HostView before, ModeRequest request, Path control) throws HostException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    boolean isSettling = false;
    HostView now = before;
    while (System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL_NANOS);
      now = agent.report();
      if (refusals(now) > refusals(before)) {
        throw new HostException(
            "not changed: the agent refused the command, for example because the mode is above that"
                + " of its settings (controlRaises); the standard error of process "
                + agent.pid()
                + " has the reason");
      }
      if (!isSettling && hasNewFollower(before, now, request)) {
        isSettling = true;
        deadline = System.nanoTime() + SETTLING_NANOS;
      }
    }
    if (followers(before, now, request).isEmpty()) {
      throw new HostException(
          "not changed within 5 s: the agent does not read "
              + control
              + " (control=none or controlFile in its settings), or no copy has that name:\n"
              + HostText.modes(now).stripTrailing());
    }
    List<CopyView> failed = notFollowing(before, now, request);
    if (!failed.isEmpty()) {
      throw new HostException(
          HostText.modes(now)
              + failed.stream()
                  .map(copy -> AgentControl.NOT_CHANGED + copy.pool() + ": " + copy.reason())
                  .collect(Collectors.joining("\n")));
    }
    return now;
  }

  private static long refusals(HostView report) {
    return report.row().orZero(HostFigures.CONTROL_REFUSALS);
  }

  /** Returns whether the command has set the mode of a copy since an earlier report. */
  private static boolean hasNewFollower(HostView before, HostView now, ModeRequest request) {
    return followers(before, now, request).stream()
        .anyMatch(copy -> isNew(before, copy) && hasMode(copy, request));
  }

  /** Returns the copies that the command has changed, or that wait for their host to change. */
  private static List<CopyView> followers(HostView before, HostView now, ModeRequest request) {
    return now.copies().stream()
        .filter(copy -> copy.modeChange().source().equals(FILE))
        .filter(copy -> hasMode(copy, request) || (isNew(before, copy) && !copy.reason().isEmpty()))
        .toList();
  }

  /** Returns the copies that the command names and does not change. */
  static List<CopyView> notFollowing(HostView before, HostView now, ModeRequest request) {
    List<CopyView> following = followers(before, now, request);
    return now.copies().stream()
        .filter(copy -> !following.contains(copy))
        .filter(
            copy ->
                isNew(before, copy)
                    || isNamed(copy, request)
                    || (!hasMode(copy, request) && !isLeftOut(copy, request)))
        .toList();
  }

  private static boolean hasMode(CopyView copy, ModeRequest request) {
    return copy.mode().equals(request.mode().kind().label());
  }

  /** Returns whether the source or the time of the mode differs from an earlier report. */
  private static boolean isNew(HostView before, CopyView copy) {
    return before.copies().stream()
        .noneMatch(
            old -> old.pool().equals(copy.pool()) && old.modeChange().equals(copy.modeChange()));
  }

  /** Returns whether a pattern for some copies has this one. A report has no class loaders. */
  private static boolean isNamed(CopyView copy, ModeRequest request) {
    return !request.copies().equals(CopyPattern.ALL)
        && request.copies().matches(copy.pool().replaceFirst("#\\d+$", ""), List.of());
  }

  /** Returns whether a command for all copies leaves this one out, as its settings do. */
  private static boolean isLeftOut(CopyView copy, ModeRequest request) {
    return !request.copies().equals(CopyPattern.ALL) || copy.reason().contains(" by the setting ");
  }

  /**
   * Writes the file atomically. The agent accepts a file that belongs to its user or to root.
   *
   * @param needsOwner whether root's file must belong to the owner of the stats file
   */
  private static void write(Path control, Path stats, String text, boolean needsOwner)
      throws IOException {
    try (ForeignDirectory directory =
        ForeignDirectory.open(Objects.requireNonNull(control.getParent()))) {
      String name = control.getFileName().toString();
      UserPrincipal user = directory.owner(stats.getFileName().toString());
      String whole =
          directory.create(
              "." + name, ".tmp", text.getBytes(StandardCharsets.UTF_8), user, needsOwner);
      directory.rename(whole, name);
    }
  }

  private static String owner(AgentProcess agent) {
    try {
      return Files.getOwner(agent.file(), LinkOption.NOFOLLOW_LINKS).getName();
    } catch (IOException unknown) {
      return "of that process";
    }
  }

  /**
   * Deletes the command file after it took effect. The agent does not treat a missing file as a
   * change.
   */
  private static void delete(Path control) {
    try {
      Files.deleteIfExists(control);
    } catch (IOException alreadyGone) {
      // the next command replaces the file
    }
  }
}
