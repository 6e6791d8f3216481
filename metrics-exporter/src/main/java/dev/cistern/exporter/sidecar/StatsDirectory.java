/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.HostIdentity;
import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.HostState;
import dev.cistern.exporter.Hosts;
import dev.cistern.exporter.PostMortem;
import dev.cistern.exporter.statsfile.StatsFile;
import dev.cistern.exporter.statsfile.StatsFileException;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The hosts that write their stats files to one directory. It is looked at anew for each scrape, so
 * that hosts come and go with it.
 *
 * <p>A host lives while it holds the lock on its file: process ids mean nothing across containers.
 * Where the file system has no locks, its heartbeat tells. What is no stats file is refused with a
 * reason, once in the log; the other hosts are served.
 */
public final class StatsDirectory implements Hosts {
  /** Hosts that are served at a time; further files are refused. */
  static final int MAX_HOSTS = 512;

  /** Files that are looked at: whoever puts more there harms himself, and not this process. */
  private static final int MAX_FILES = 4 * MAX_HOSTS;

  /** Without a lock, a host is gone after so many of its intervals without a heartbeat. */
  private static final int MISSED_INTERVALS = 3;

  private static final long LEAST_SILENCE_MILLIS = 3_000;

  private final Path directory;
  private final PostMortemStore store;
  private final Consumer<String> log;
  private final LongSupplier clock;
  private final StatsFileReader reader = new StatsFileReader();

  /** The last report of each host that runs, by id. Guarded by this object's lock, as all below. */
  private final Map<String, HostReport> reports = new HashMap<>();

  /** The place of that report in the order of its host's. */
  private final Map<String, Long> sequences = new HashMap<>();

  /** Why a file is refused, by its name. */
  private final Map<String, String> refused = new TreeMap<>();

  /** Hosts that have ended and could not be kept when they were last looked at, by id. */
  private final Map<String, HostState> unkept = new TreeMap<>();

  /** Files of hosts that run, whose last report cannot be read, and why. */
  private final Map<String, String> unreadable = new TreeMap<>();

  private boolean isUnreadable;
  private long failures;

  /**
   * @param directory where the hosts write
   * @param store takes what those leave that end
   * @param log takes a line for each file that is refused, and for each host that is gone
   * @param clock milliseconds since the epoch
   */
  StatsDirectory(Path directory, PostMortemStore store, Consumer<String> log, LongSupplier clock) {
    this.directory = directory;
    this.store = store;
    this.log = log;
    this.clock = clock;
  }

  /** The hosts that run, by id, and after them those that have ended lately. */
  @Override
  public synchronized List<HostState> all() {
    Map<String, HostState> running = new TreeMap<>();
    Map<String, String> before = Map.copyOf(refused);
    unreadable.clear();
    look((file, header) -> running.put(header.identity().id(), read(file, header)));
    unreadable.forEach((name, reason) -> refuse(name, reason, before));
    reports.keySet().retainAll(running.keySet());
    sequences.keySet().retainAll(running.keySet());
    List<HostState> all = new ArrayList<>(running.values());
    all.addAll(unkept.values());
    for (HostState gone : store.lately()) {
      String id = gone.report().host().id();
      if (!running.containsKey(id) && !unkept.containsKey(id)) {
        all.add(gone);
      }
    }
    return all;
  }

  @Override
  public synchronized HostReport whole(HostState state) throws IOException {
    String id = state.report().host().id();
    if (state.isUp()) {
      HostReport report = reader.read(directory.resolve(id + StatsFileWriter.SUFFIX)).report();
      return report == null ? state.report() : report;
    }
    for (PostMortem each : store.all()) {
      if (each.host().id().equals(id)) {
        return store.state(each).report();
      }
    }
    return state.report();
  }

  /** Takes care of hosts that have ended, without reading the others. */
  public synchronized void tick() {
    look((file, header) -> {});
    store.removeOld();
  }

  /** What is done with the file of a host that runs. */
  @FunctionalInterface
  private interface Visitor {
    void visit(Path file, StatsFileHeader header);
  }

  private void look(Visitor running) {
    Map<String, String> before = Map.copyOf(refused);
    refused.clear();
    unkept.clear();
    int hosts = 0;
    for (Path file : files()) {
      String name = Objects.toString(file.getFileName());
      try {
        if (hosts >= MAX_HOSTS) {
          throw new IOException("there are more than " + MAX_HOSTS + " hosts");
        }
        look(file, name, running);
        hosts++; // only what is one: junk crowds nobody out
      } catch (NoSuchFileException gone) {
        // Between the list and the look.
      } catch (IOException | RuntimeException e) {
        refuse(name, Objects.toString(e.getMessage(), e.toString()), before);
      }
    }
  }

  private void look(Path file, String name, Visitor running) throws IOException {
    StatsFileHeader header = reader.readHeader(file);
    String id = header.identity().id();
    if (!name.equals(id + StatsFileWriter.SUFFIX)) {
      throw new IOException("the file says that it belongs to host " + id);
    }
    if (header.isCopy()) {
      throw new IOException("this is the copy of a file, not that of a host");
    }
    if (isAlive(file, header)) {
      running.visit(file, header);
    } else {
      bury(file, name, header);
    }
  }

  /**
   * A host that makes its file larger puts another in its place, and then unlocks the old one:
   * without a lock, only the file that still stands there tells that its host is gone.
   */
  private boolean isAlive(Path file, StatsFileHeader header) throws IOException {
    if (!header.isLocked()) {
      long interval = Math.max(0, header.intervalMillis());
      long limit = Math.max(LEAST_SILENCE_MILLIS, MISSED_INTERVALS * interval);
      return !header.exitedCleanly() && silenceMillis(header) <= limit;
    }
    Object before = key(file);
    return StatsFileReader.isLocked(file) || !Objects.equals(before, key(file));
  }

  /** A heartbeat that is yet to come says nothing. */
  private long silenceMillis(StatsFileHeader header) {
    long silence = clock.getAsLong() - header.heartbeatMillis();
    return silence < -LEAST_SILENCE_MILLIS ? Long.MAX_VALUE : silence;
  }

  private static Object key(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    Object key = attributes.fileKey();
    return key != null ? key : attributes.creationTime();
  }

  private void bury(Path file, String name, StatsFileHeader header) throws IOException {
    HostIdentity host = header.identity();
    try {
      store.keep(file, clock.getAsLong());
    } catch (NoSuchFileException gone) {
      throw gone; // another sidecar has it
    } catch (IOException | RuntimeException e) {
      failures++;
      showUnkept(file, header);
      throw new IOException("its host has ended, and it cannot be kept: " + e, e);
    }
    log.accept(
        plain(
            "host "
                + host.id()
                + (host.application().isEmpty() ? "" : " (" + host.application() + ")")
                + (header.exitedCleanly() ? " has shut down" : " has died")
                + "; what it left is at /postmortem/"
                + host.id()
                + "/ ("
                + name
                + ")"));
  }

  /** Names are others': one line stays one line, and a terminal has nothing to obey. */
  private static String plain(String line) {
    return line.replaceAll("[^\\x20-\\x7e]", "?");
  }

  /** A host that is gone is shown from its own file until that can be kept. */
  private void showUnkept(Path file, StatsFileHeader header) {
    HostIdentity host = header.identity();
    HostReport report = reports.get(host.id());
    try {
      HostReport read = reader.readSites(file).report();
      report = read != null ? read : report;
    } catch (IOException | RuntimeException unreadable) {
      // What was read before, if anything.
    }
    HostState.State state = header.exitedCleanly() ? HostState.State.EXITED : HostState.State.DIED;
    HostReport last =
        report != null ? report : new HostReport(host, header.heartbeatMillis(), 0, List.of());
    unkept.put(host.id(), Summary.of(new HostState(last, state, header.heartbeatMillis())));
  }

  /** Reads a host that runs; where that fails just now, what it told before. */
  private HostState read(Path file, StatsFileHeader header) {
    HostIdentity host = header.identity();
    HostReport known =
        reports.getOrDefault(host.id(), new HostReport(host, host.startMillis(), 0, List.of()));
    HostReport newest = known;
    try {
      StatsFile read = reader.readSites(file);
      HostReport report = read.report();
      // An older frame than the last would let counters run backwards. Clocks are not asked: they
      // can be set back.
      if (report != null && read.sequence() >= sequences.getOrDefault(host.id(), 0L)) {
        newest = report;
        sequences.put(host.id(), read.sequence());
      }
    } catch (StatsFileException e) {
      failures++;
      // Its figures stay as they were; nobody should take them for new ones without a word.
      unreadable.put(file.getFileName().toString(), "its report cannot be read: " + e.getMessage());
    } catch (IOException | RuntimeException e) {
      failures++;
    }
    reports.put(host.id(), newest);
    return new HostState(newest, HostState.State.UP, header.heartbeatMillis());
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream =
        Files.newDirectoryStream(directory, "[!.]*" + StatsFileWriter.SUFFIX)) {
      for (Path file : stream) {
        if (files.size() >= MAX_FILES) {
          break;
        }
        files.add(file);
      }
      isUnreadable = false;
    } catch (IOException | DirectoryIteratorException | UncheckedIOException e) {
      failures++;
      if (!isUnreadable) {
        log.accept(
            "dir = '" + directory + "' cannot be read: " + e + "; tried again at each scrape");
      }
      isUnreadable = true;
    }
    files.sort(null);
    return files;
  }

  private void refuse(String name, String reason, Map<String, String> before) {
    refused.put(name, reason);
    if (!reason.equals(before.get(name))) {
      log.accept(plain("'" + name + "' is refused: " + reason));
    }
  }

  /** Files that are refused now, and why. */
  public synchronized Map<String, String> refused() {
    return Map.copyOf(refused);
  }

  /** Counts a failure outside. */
  synchronized void failed() {
    failures++;
  }

  /** Times that the directory or a host's file could not be read, or not be kept. */
  public synchronized long failures() {
    return failures;
  }
}
