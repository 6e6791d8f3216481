/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import dev.cistern.agent.config.AgentConfig;
import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ModeRequest;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.netty.CommandSource;
import dev.cistern.agent.netty.ModeCommand;
import dev.cistern.agent.netty.ModeSource;
import dev.cistern.exporter.statsfile.ControlFileNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The control file of this JVM, and the one that the sidecar writes if the settings permit that.
 * Each line is a command such as {@code mode=off} or {@code mode=swap,percent=10,copies=io.netty}.
 */
public final class ControlFiles implements CommandSource {
  private static final Pattern COMMAND = Pattern.compile("(mode|percent|copies)\\s*=");
  private static final String EXPECTED = "mode=swap, observe or off";

  /** Number of refusals that are logged. */
  private static final int MAX_LOGGED = 20;

  private final boolean mayRaise;
  private final @Nullable ControlFile file;
  private final @Nullable ControlFile sidecar;
  private final AtomicLong refusals = new AtomicLong();
  private volatile String lastRefusal = "";

  /**
   * Creates the watch as configured, without reading a file.
   *
   * @param directory of the stats file; null if there is none
   * @param id of this JVM, which begins the names of its files
   */
  public ControlFiles(AgentConfig config, @Nullable Path directory, String id) {
    mayRaise = config.controlRaises();
    String path = config.controlFile();
    Path beside = directory == null ? null : directory.resolve(id + ControlFileNames.OWNER);
    file = watch(path == null ? beside : Path.of(path), config.isControlled());
    sidecar =
        watch(
            directory == null ? null : directory.resolve(id + ControlFileNames.SIDECAR),
            config.isControlledBySidecar());
  }

  private static @Nullable ControlFile watch(@Nullable Path path, boolean isPermitted) {
    return path == null || !isPermitted ? null : new ControlFile(path, user());
  }

  /** Returns the user ID of this process, or -1 if it is unknown. */
  private static int user() {
    try {
      return user(Path.of("/proc/self"));
    } catch (IOException | RuntimeException withoutProc) {
      return userOfNewFile();
    }
  }

  static int userOfNewFile() {
    try {
      Path mine = Files.createTempFile("cistern", ".user");
      try {
        return user(mine);
      } finally {
        Files.delete(mine);
      }
    } catch (IOException | RuntimeException unknown) {
      return -1; // then only root's files are accepted
    }
  }

  private static int user(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }

  /** Returns whether there is a file to watch, even if it does not exist yet. */
  public boolean isWatching() {
    return file != null || sidecar != null;
  }

  /** Returns the number of files and commands that were refused. */
  public long refusals() {
    return refusals.get();
  }

  /** Returns which file or command was refused last, and why; empty if none was. */
  public String lastRefusal() {
    return lastRefusal;
  }

  /**
   * Returns the commands of changed files. Those of the file that was changed last are at the end,
   * so that they win.
   */
  @Override
  public List<ModeCommand> poll() {
    List<ModeCommand> commands = new ArrayList<>();
    List<ModeCommand> later = new ArrayList<>();
    poll(sidecar, ModeSource.SIDECAR, commands);
    poll(file, ModeSource.FILE, later);
    boolean isSidecarLater =
        file != null && sidecar != null && sidecar.modified().compareTo(file.modified()) > 0;
    commands.addAll(isSidecarLater ? 0 : commands.size(), later);
    return commands;
  }

  private void poll(@Nullable ControlFile watched, ModeSource source, List<ModeCommand> commands) {
    if (watched == null) {
      return;
    }
    try {
      List<String> lines = watched.poll();
      int number = 0;
      for (String line : lines == null ? List.<String>of() : lines) {
        number++;
        String text = line.strip();
        if (!text.isEmpty() && text.charAt(0) != '#') {
          read(watched.path() + ": line " + number + ": ", text, source, commands);
        }
      }
    } catch (IOException | RuntimeException refused) {
      refuse(watched.path() + ": " + reason(refused));
    }
  }

  /**
   * Parses a line. A refusal does not quote a line that does not begin as a command, because the
   * file may be unrelated and hold secrets.
   */
  private void read(String where, String line, ModeSource source, List<ModeCommand> commands) {
    if (!COMMAND.matcher(line).lookingAt()) {
      refuse(where + "not a command (expected: " + EXPECTED + ")");
      return;
    }
    try {
      ModeRequest request = ModeRequest.read(line);
      if (request != null) {
        commands.add(new ModeCommand(request.mode(), request.copies(), source, mayRaise));
      } else {
        refuse(where + "no mode (expected: " + EXPECTED + ")");
      }
    } catch (BadSettingException malformed) {
      refuse(where + malformed.getMessage());
    }
  }

  private static String reason(Exception refused) {
    String message = refused.getMessage();
    return refused instanceof IOException && message != null ? message : refused.toString();
  }

  @Override
  public void carriedOut(ModeCommand command) {}

  @Override
  public void refuse(String text) {
    lastRefusal = text;
    if (refusals.incrementAndGet() <= MAX_LOGGED) {
      Log.line("command refused: " + text);
    }
  }
}
