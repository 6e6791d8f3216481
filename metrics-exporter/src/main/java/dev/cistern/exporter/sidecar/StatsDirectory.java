/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.report.ExporterFigures;
import dev.cistern.exporter.report.ExporterState;
import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostIdentity;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.Hosts;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.statsfile.ControlFileNames;
import dev.cistern.exporter.statsfile.HostLiveness;
import dev.cistern.exporter.statsfile.StatsFile;
import dev.cistern.exporter.statsfile.StatsFileException;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileReader.Stamp;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that write their stats files to one directory. Each scrape lists the directory again,
 * so that it finds new hosts and ended ones.
 *
 * <p>{@link HostLiveness} decides which host runs. A file that is not a stats file is refused, and
 * the reason is logged once; the other hosts are served.
 */
public final class StatsDirectory implements Hosts, ExporterState.Source {
  /** Maximum number of hosts; further files are refused. */
  static final int MAX_HOSTS = 512;

  /** Maximum number of files that are read. Extra files are ignored to protect this process. */
  private static final int MAX_FILES = 4 * MAX_HOSTS;

  private final Path directory;
  private final PostMortemStore store;
  private final Consumer<String> log;
  private final LongSupplier clock;
  private final StatsFileReader reader = new StatsFileReader();

  /** Running hosts by ID. This object's lock guards it and all fields below. */
  private final Map<String, Known> known = new HashMap<>();

  /** Reasons for refusing a file, by its name. */
  private final Map<String, String> refused = new TreeMap<>();

  /** Ended hosts whose file could not be kept at the last attempt, by ID. */
  private final Map<String, Unkept> unkept = new TreeMap<>();

  /** Reasons why the last report of a running host cannot be read, by the name of its file. */
  private final Map<String, String> unreadable = new TreeMap<>();

  private boolean isUnreadable;
  private boolean wasListed;
  private long failures;

  /**
   * The last report of a host.
   *
   * @param sequence the report's position in the sequence of the host's reports
   * @param stamp stamp of the file that was read last; null if there is none
   * @param heapBytes approximate heap of the report
   * @param problem why the view is not the report of that file; null if it is
   */
  private record Known(
      HostView view,
      long sequence,
      @Nullable Stamp stamp,
      long heapBytes,
      @Nullable String problem) {
    static Known nothing(HostIdentity host) {
      return new Known(HostView.nothing(host), 0, null, 0, null);
    }

    Known after(Stamp checked, @Nullable String problem) {
      return new Known(view, sequence, checked, heapBytes, problem);
    }

    Known tooLarge() {
      String reason =
          "its report takes some "
              + heapBytes
              + " bytes of heap, and those of all hosts together more than "
              + HeapBudget.ofReports()
              + ", a part of -Xmx";
      return new Known(EndedHostSummary.bare(view), sequence, stamp, 0, reason);
    }
  }

  /**
   * A host that has ended.
   *
   * @param stamp stamp of its file; null if it has no file
   * @param heapBytes approximate heap of the view
   * @param damage why its unchanged file can never be kept; null if another attempt may succeed
   */
  private record Unkept(
      @Nullable Stamp stamp, HostView view, long heapBytes, @Nullable String damage) {}

  /**
   * Creates the view of a directory.
   *
   * @param directory directory of the hosts' stats files
   * @param store takes the files of ended hosts
   * @param log takes a line for each refused file, and for each ended host
   * @param clock milliseconds since the epoch
   */
  StatsDirectory(Path directory, PostMortemStore store, Consumer<String> log, LongSupplier clock) {
    this.directory = directory;
    this.store = store;
    this.log = log;
    this.clock = clock;
  }

  /** Returns the running hosts by ID, followed by those that have recently ended. */
  @Override
  public synchronized List<HostView> all() {
    Map<String, StatsFileHeader> running = new TreeMap<>();
    Map<String, String> before = Map.copyOf(refused);
    unreadable.clear();
    List<Path> files = files();
    if (isUnreadable && wasListed) {
      // A failed listing does not mean that hosts have ended: keep the known hosts.
      throw new UncheckedIOException(
          new IOException("statsDirectory = '" + directory + "' cannot be read"));
    }
    checkFiles(
        files,
        (file, header) -> {
          read(file, header);
          running.put(header.identity().id(), header);
        });
    unreadable.forEach((name, reason) -> refuse(name, reason, before));
    known.keySet().retainAll(running.keySet());
    List<HostView> all = new ArrayList<>();
    running.forEach((id, header) -> all.add(running(header)));
    unkept.values().forEach(each -> all.add(each.view()));
    for (HostView gone : store.recentlyEnded()) {
      String id = gone.id();
      if (!running.containsKey(id) && !unkept.containsKey(id)) {
        all.add(gone);
      }
    }
    return all;
  }

  /** Reads without the lock, so that scrapes do not wait for a page whose file system hangs. */
  @Override
  public HostView fullReport(HostView state) throws IOException {
    String id = state.id();
    if (state.isUp()) {
      try {
        StatsFile read = new StatsFileReader().read(directory.resolve(id + StatsFileWriter.SUFFIX));
        HostView view = HeapBudget.checkForPage(read).report();
        return view == null
            ? state
            : view.with(HostView.State.UP, read.heartbeatMillis())
                .withFailures(read.header().failures());
      } catch (NoSuchFileException gone) {
        // The host has ended meanwhile, and its file is kept.
      }
    }
    PostMortem left = store.find(id);
    return left == null ? state : store.state(left);
  }

  @Override
  public History history(HostView state) throws IOException {
    try {
      if (state.isUp()) {
        Path file = directory.resolve(state.id() + StatsFileWriter.SUFFIX);
        return new StatsFileReader().readHistory(file);
      }
    } catch (NoSuchFileException gone) {
      // The host has ended meanwhile, and its file is kept.
    }
    PostMortem left = store.find(state.id());
    return left == null ? History.NONE : store.history(left);
  }

  @Override
  public HostView siteReport(HostView state) throws IOException {
    PostMortem left = state.isUp() ? null : store.find(state.id());
    return left == null ? state : store.sites(left);
  }

  /** Keeps the files of ended hosts, without reading the files of running ones. */
  public synchronized void tick() {
    List<Path> files = files();
    if (!isUnreadable) {
      checkFiles(files, (file, header) -> refuseStill(file));
    }
    store.removeOld();
  }

  /** Refuses a file that could not be read at the last scrape; the log already names it. */
  private void refuseStill(Path file) {
    String name = Objects.toString(file.getFileName());
    String reason = unreadable.get(name);
    if (reason != null) {
      refused.put(name, reason);
    }
  }

  /** Receives the file of a running host. */
  @FunctionalInterface
  private interface Visitor {
    void visit(Path file, StatsFileHeader header);
  }

  private void checkFiles(List<Path> files, Visitor running) {
    Map<String, String> before = Map.copyOf(refused);
    Map<String, Unkept> unkeptBefore = Map.copyOf(unkept);
    refused.clear();
    unkept.clear();
    int hosts = 0;
    for (Path file : files) {
      String name = Objects.toString(file.getFileName());
      try {
        if (hosts >= MAX_HOSTS) {
          throw new IOException("there are more than " + MAX_HOSTS + " hosts");
        }
        checkFile(file, name, running, unkeptBefore);
        hosts++; // stats files only: other files do not displace hosts
      } catch (NoSuchFileException gone) {
        // The file was removed after the listing.
      } catch (IOException | RuntimeException e) {
        refuse(name, Objects.toString(e.getMessage(), e.toString()), before);
      }
    }
  }

  private void checkFile(Path file, String name, Visitor running, Map<String, Unkept> unkeptBefore)
      throws IOException {
    StatsFileHeader header = reader.readHeader(file);
    String id = header.identity().id();
    if (!name.equals(id + StatsFileWriter.SUFFIX)) {
      throw new IOException("the file says that it belongs to host " + id);
    }
    if (header.isCopy()) {
      throw new IOException("this is the copy of a file, not that of a host");
    }
    if (HostLiveness.isAlive(file, header, clock.getAsLong())) {
      running.visit(file, header);
    } else {
      archive(file, name, header, unkeptBefore.get(id));
    }
  }

  private void archive(Path file, String name, StatsFileHeader header, @Nullable Unkept before)
      throws IOException {
    HostIdentity host = header.identity();
    Stamp stamp = reader.readStamp(file);
    boolean isSame = before != null && stamp.equals(before.stamp());
    if (before != null && isSame && before.damage() != null && !store.isOld(header)) {
      unkept.put(host.id(), before);
      throw new IOException(before.damage());
    }
    try {
      store.keep(file, clock.getAsLong());
      known.remove(host.id());
      ControlFileNames.removeOf(directory, host.id());
    } catch (NoSuchFileException gone) {
      throw gone; // another sidecar has it
    } catch (IOException | RuntimeException e) {
      failures++;
      String reason = "its host has ended, and it cannot be kept: " + e;
      String damage = e instanceof StatsFileException ? reason : null;
      unkept.put(
          host.id(), before != null && isSame ? before : unkept(file, header, stamp, damage));
      throw new IOException(reason, e);
    }
    log.accept(
        LogSanitizer.plain(
            "host "
                + host.id()
                + (host.application().isEmpty() ? "" : " (" + host.application() + ")")
                + (header.exitedCleanly() ? " has shut down" : " has died")
                + "; its post-mortem is at /postmortem/"
                + host.id()
                + "/ ("
                + name
                + ")"));
  }

  /** Returns an ended host from its own file. It is shown until the file can be kept. */
  private Unkept unkept(Path file, StatsFileHeader header, Stamp stamp, @Nullable String damage) {
    HostIdentity host = header.identity();
    HostView view = known.getOrDefault(host.id(), Known.nothing(host)).view();
    try {
      HostView read = damage == null ? reader.readSites(file).report() : null;
      view = read != null ? read : view;
    } catch (IOException | RuntimeException unreadable) {
      // Keep the last good reading, if there is one.
    }
    view = view.with(PostMortemStore.state(header), header.heartbeatMillis());
    HostView summary = EndedHostSummary.of(view);
    long bytes = EndedHostSummary.heapBytes(summary);
    long others = unkept.values().stream().mapToLong(Unkept::heapBytes).sum();
    boolean fits = unkept.size() < PostMortemStore.MAX_RECENTLY_ENDED;
    return fits && others + bytes <= HeapBudget.ofSummaries()
        ? new Unkept(stamp, summary, bytes, damage)
        : new Unkept(stamp, EndedHostSummary.bare(view), 0, damage);
  }

  private HostView running(StatsFileHeader header) {
    HostIdentity host = header.identity();
    return known
        .getOrDefault(host.id(), Known.nothing(host))
        .view()
        .with(HostView.State.UP, header.heartbeatMillis())
        .withFailures(header.failures());
  }

  /** Reads the report of a running host. Keeps the previous report if reading fails. */
  private void read(Path file, StatsFileHeader header) {
    HostIdentity host = header.identity();
    Known before = known.getOrDefault(host.id(), Known.nothing(host));
    known.put(host.id(), before);
    try {
      Stamp stamp = reader.readStamp(file);
      if (!stamp.equals(before.stamp())) {
        known.put(host.id(), readAgain(file, stamp, before));
        dropTheLargest();
      }
    } catch (IOException | RuntimeException e) {
      failures++;
    }
    Known now = known.getOrDefault(host.id(), before);
    if (now.problem() != null) {
      unreadable.put(Objects.toString(file.getFileName()), now.problem());
    }
  }

  private Known readAgain(Path file, Stamp stamp, Known before) throws IOException {
    try {
      StatsFile read = reader.readSites(file);
      HostView report = read.report();
      // A frame older than the last would make counters decrease. Compare sequences, because clocks
      // can be set back.
      return report != null && read.sequence() >= before.sequence()
          ? new Known(report, read.sequence(), stamp, read.heapBytes(), null)
          : before.after(stamp, before.problem());
    } catch (StatsFileException e) {
      failures++;
      // The figures stay the same. The reason prevents that they are mistaken for new ones.
      return before.after(stamp, "its report cannot be read: " + e.getMessage());
    }
  }

  private void dropTheLargest() {
    Map<String, Long> bytes = new HashMap<>();
    known.forEach((id, each) -> bytes.put(id, each.heapBytes()));
    for (String id : HeapBudget.tooMuch(bytes, HeapBudget.ofReports())) {
      known.computeIfPresent(id, (same, each) -> each.tooLarge());
    }
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
      wasListed = true;
    } catch (IOException | DirectoryIteratorException | UncheckedIOException e) {
      failures++;
      if (!isUnreadable) {
        log.accept(
            LogSanitizer.plain(
                "statsDirectory = '"
                    + directory
                    + "' cannot be read: "
                    + e
                    + "; tried again at each scrape"));
      }
      isUnreadable = true;
    }
    files.sort(null);
    return files;
  }

  private void refuse(String name, String reason, Map<String, String> before) {
    refused.put(name, reason);
    if (!reason.equals(before.get(name))) {
      log.accept(LogSanitizer.plain("'" + name + "' is refused: " + reason));
    }
  }

  /** Returns the reasons for refusing files, by the name of the file. */
  public synchronized Map<String, String> refused() {
    return Map.copyOf(refused);
  }

  /** Counts a failure that the caller had. */
  synchronized void failed() {
    failures++;
  }

  /** Returns how often the directory or a host's file could not be read, or not be kept. */
  public synchronized long failures() {
    return failures;
  }

  @Override
  public void addTo(ExporterState to) {
    to.set(ExporterFigures.SIDECAR_FILES_REFUSED, refused().size());
    to.set(ExporterFigures.SIDECAR_FAILURES, failures() + store.failures());
    to.set(ExporterFigures.SIDECAR_POSTMORTEMS, store.all().size());
    to.set(ExporterFigures.SIDECAR_POSTMORTEM_BYTES, store.bytes());
    to.set(ExporterFigures.SIDECAR_POSTMORTEMS_REMOVED, store.removed());
  }
}
