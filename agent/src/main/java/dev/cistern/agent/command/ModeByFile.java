/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import dev.cistern.agent.config.ModeRequest;
import dev.cistern.exporter.CopyReport;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.statsfile.ControlFileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sets modes by the control file beside a stats file. */
final class ModeByFile {
  /** Limits the wait for the agent, which reads the file and writes its report once a second. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

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
  static HostReport send(AgentProcess agent, ModeRequest request) throws HostException {
    HostReport before = agent.report();
    Path control = agent.file().resolveSibling(agent.identity().id() + ControlFileNames.OWNER);
    boolean isNew = !Files.exists(control, LinkOption.NOFOLLOW_LINKS);
    try {
      write(control, agent.file(), line(request) + '\n');
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

  private static HostReport await(
      AgentProcess agent, HostReport before, ModeRequest request, Path control)
      throws HostException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    HostReport now = before;
    while (System.nanoTime() < deadline) {
      LockSupport.parkNanos(POLL_NANOS);
      now = agent.report();
      if (now.controlRefusals() > before.controlRefusals()) {
        throw new HostException(
            "not changed: the agent refused the command, for example because the mode is above that"
                + " of its settings (controlRaises); the standard error of process "
                + agent.pid()
                + " has the reason");
      }
      if (hasChanged(before, now, request)) {
        return now;
      }
    }
    String mode = request.mode().kind().label();
    if (now.copies().stream().allMatch(copy -> copy.mode().equals(mode))) {
      return now;
    }
    throw new HostException(
        "not changed within 5 s: the agent does not read "
            + control
            + " (control=none or controlFile in its settings), or the mode failed:\n"
            + HostText.modes(now).stripTrailing());
  }

  private static boolean hasChanged(HostReport before, HostReport now, ModeRequest request) {
    for (CopyReport copy : now.copies()) {
      boolean isNew =
          before.copies().stream()
              .noneMatch(
                  old ->
                      old.pool().equals(copy.pool()) && old.modeChange().equals(copy.modeChange()));
      if (isNew
          && copy.modeChange().source().equals(FILE)
          && copy.mode().equals(request.mode().kind().label())) {
        return true;
      }
    }
    return false;
  }

  /** Writes the file at once, and for the owner of the stats file: the agent accepts no other. */
  private static void write(Path control, Path stats, String text) throws IOException {
    try (ForeignDirectory directory =
        ForeignDirectory.open(Objects.requireNonNull(control.getParent()))) {
      String name = control.getFileName().toString();
      String whole =
          directory.create(
              "." + name,
              ".tmp",
              text.getBytes(StandardCharsets.UTF_8),
              directory.owner(stats.getFileName().toString()));
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

  /** Deletes the command: it has its effect, and a file that disappears is no change. */
  private static void delete(Path control) {
    try {
      Files.deleteIfExists(control);
    } catch (IOException alreadyGone) {
      // the next command replaces it
    }
  }
}
