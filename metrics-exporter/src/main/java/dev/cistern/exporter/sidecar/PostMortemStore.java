/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.report.History;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.report.PostMortem;
import dev.cistern.exporter.report.PostMortems;
import dev.cistern.exporter.statsfile.StatsFile;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import dev.cistern.exporter.statsfile.UserDirectory;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Store of the last stats files of hosts that have ended, in one directory. It removes files that
 * are too old, and the oldest ones if all together are too large.
 */
public final class PostMortemStore implements PostMortems {
  /** Maximum number of post-mortems, however small they are. */
  static final int MAX_POST_MORTEMS = 512;

  /** Maximum number of ended hosts that scrapes show: the latest. */
  static final int MAX_RECENTLY_ENDED = 64;

  /** Suffix of a file's name while a starting sidecar reads it. */
  static final String TRYING = ".trying";

  private static final Comparator<PostMortem> LATEST_FIRST =
      Comparator.comparingLong(PostMortem::foundMillis)
          .reversed()
          .thenComparing(kept -> kept.host().id());

  private final Path directory;
  private final Retention retention;
  private final Consumer<String> log;
  private final LongSupplier clock;
  private final StatsFileReader reader = new StatsFileReader();

  /** Post-mortems by host ID. This object's lock guards it and all fields below. */
  private final Map<String, Kept> kept = new HashMap<>();

  /**
   * Last heartbeats of hosts whose post-mortem was removed although their own file could not be
   * removed.
   */
  private final Map<String, Long> removedHosts = new HashMap<>();

  private long removed;
  private long failures;

  /** A post-mortem with its data for scrapes. */
  private static final class Kept {
    private final PostMortem postMortem;

    /** Data for scrapes; null if the post-mortem is not one of the latest. */
    private @Nullable HostView summary;

    private long summaryBytes;

    /** The state without a summary. */
    private HostView bare;

    Kept(PostMortem postMortem) {
      this.postMortem = postMortem;
      this.bare =
          HostView.nothing(postMortem.host())
              .with(postMortem.state(), postMortem.heartbeatMillis());
    }

    void show(@Nullable HostView summary) {
      this.summary = summary;
      bare = summary == null ? bare : EndedHostSummary.bare(summary);
      summaryBytes = summary == null ? 0 : EndedHostSummary.heapBytes(summary);
    }

    HostView state() {
      return summary != null ? summary : bare;
    }
  }

  /**
   * Limits of keeping post-mortems.
   *
   * @param ageMillis time after which a post-mortem is removed
   * @param bytes size of all post-mortems together, above which the oldest are removed
   * @param downMillis time for which scrapes show a host after its end
   */
  public record Retention(long ageMillis, long bytes, long downMillis) {}

  PostMortemStore(Path directory, Retention retention, Consumer<String> log, LongSupplier clock) {
    this.directory = directory;
    this.retention = retention;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Does the same as {@link #open()}, but creates the directory for this user, and refuses a
   * directory of another user.
   *
   * @throws IOException also if the directory is a symbolic link, belongs to another user, or is
   *     writable by other users
   */
  synchronized void openOwn() throws IOException {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    UserDirectory.makeForKeeping(directory);
    open();
  }

  /**
   * Finds the post-mortems of an earlier run.
   *
   * @throws IOException if the directory does not exist and cannot be created
   */
  synchronized void open() throws IOException {
    Files.createDirectories(directory);
    long since = clock.getAsLong() - retention.ageMillis();
    for (Path file : files(TRYING)) {
      if (Files.getLastModifiedTime(file).toMillis() < since) {
        Files.deleteIfExists(file);
        removed++;
      } else {
        leaveAlone(
            file,
            "an earlier sidecar ended while it read it; rename it, without '"
                + TRYING
                + "', to try again");
      }
    }
    for (Path file : files("")) {
      try {
        StatsFileHeader header = reader.readHeader(file);
        String name = file.getFileName().toString();
        if (!header.isCopy() || !name.equals(header.identity().id() + StatsFileWriter.SUFFIX)) {
          throw new IOException("not a post-mortem of host " + header.identity().id());
        }
        add(header);
      } catch (IOException | RuntimeException e) {
        leaveAlone(file, Objects.toString(e.getMessage(), e.toString()));
      }
    }
    removeOld();
    for (Kept each : latest()) {
      readAgain(each);
      forgetSummaries();
    }
  }

  private List<Path> files(String ending) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "[!.]*" + StatsFileWriter.SUFFIX + ending)) {
      files.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private void leaveAlone(Path file, String reason) {
    failures++;
    log.accept(LogSanitizer.plain("the post-mortem '" + file + "' is left alone: " + reason));
  }

  /**
   * Reads a file under a temporary name. If reading it ends this process, the next start does not
   * read it again.
   */
  private void readAgain(Kept of) {
    Path file = file(of.postMortem);
    Path trying = file.resolveSibling(file.getFileName() + TRYING);
    try {
      Files.move(file, trying, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // While the file exists, a page can still read it on request.
      failures++;
      log.accept(LogSanitizer.plain("the leaks of post-mortem '" + file + "' are not shown: " + e));
      return;
    }
    try {
      try {
        of.show(EndedHostSummary.of(state(reader.readSites(trying))));
      } finally {
        Files.move(trying, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException | RuntimeException e) {
      kept.remove(of.postMortem.host().id());
      leaveAlone(file, Objects.toString(e.getMessage(), e.toString()));
    }
  }

  private Kept add(StatsFileHeader header) {
    PostMortem postMortem =
        new PostMortem(
            header.identity(),
            state(header),
            header.heartbeatMillis(),
            // Otherwise a time in the future would stay the latest.
            Math.min(header.diedMillis(), clock.getAsLong()),
            header.fileBytes());
    Kept added = new Kept(postMortem);
    kept.put(header.identity().id(), added);
    return added;
  }

  private static HostView state(StatsFile read) {
    HostView view = read.report();
    return (view != null ? view : HostView.nothing(read.identity()))
        .with(state(read.header()), read.heartbeatMillis())
        .withFailures(read.header().failures());
  }

  static HostView.State state(StatsFileHeader header) {
    return header.exitedCleanly() ? HostView.State.EXITED : HostView.State.DIED;
  }

  /**
   * Copies the file of an ended host, and removes it. A later end of a host replaces its earlier
   * post-mortem.
   *
   * @throws IOException if the file cannot be copied, or cannot be removed
   */
  synchronized void keep(Path file, long nowMillis) throws IOException {
    Path copy = directory.resolve(file.getFileName());
    StatsFileHeader header = reader.readHeader(file);
    String id = header.identity().id();
    if (!isOld(header) && !isKnown(id, header.heartbeatMillis())) {
      copy(file, copy, nowMillis);
    }
    Files.deleteIfExists(file);
    removedHosts.remove(id);
    removeOld();
  }

  /**
   * Returns whether this end of a host is already kept, or was kept. This happens if the host's
   * file could not be removed then, perhaps by an earlier run. A later heartbeat means that the
   * host has ended again.
   */
  private boolean isKnown(String id, long heartbeatMillis) {
    Kept before = kept.get(id);
    Long removedAt = removedHosts.get(id);
    return (before != null && before.postMortem.heartbeatMillis() == heartbeatMillis)
        || (removedAt != null && removedAt == heartbeatMillis);
  }

  /** Returns whether the end of a host is longer ago than the retention. */
  boolean isOld(StatsFileHeader header) {
    return clock.getAsLong() - header.heartbeatMillis() > retention.ageMillis();
  }

  /** Copies a file. The caller removes the original only after this has read it. */
  private void copy(Path file, Path copy, long nowMillis) throws IOException {
    StatsFile copied = reader.copy(file, copy, nowMillis);
    add(copied.header()).show(EndedHostSummary.of(state(copied)));
    forgetSummaries();
  }

  /** Returns the post-mortems that scrapes still show, the latest first. */
  private List<Kept> latest() {
    long since = clock.getAsLong() - retention.downMillis();
    return kept.values().stream()
        .filter(each -> each.postMortem.foundMillis() >= since)
        .sorted(Comparator.comparing(each -> each.postMortem, LATEST_FIRST))
        .limit(MAX_RECENTLY_ENDED)
        .toList();
  }

  /**
   * Removes summaries that scrapes do not show, and the largest ones if all together need too much
   * heap.
   */
  private void forgetSummaries() {
    List<Kept> latest = latest();
    Map<String, Long> bytes = new HashMap<>();
    latest.forEach(each -> bytes.put(each.postMortem.host().id(), each.summaryBytes));
    for (Kept each : kept.values()) {
      if (!bytes.containsKey(each.postMortem.host().id())) {
        each.show(null);
      }
    }
    for (String id : HeapBudget.tooMuch(bytes, HeapBudget.ofSummaries())) {
      Kept large = kept.get(id);
      if (large != null) {
        large.show(null);
      }
    }
  }

  /** Returns the hosts that have recently ended, with their leaks only. */
  synchronized List<HostView> recentlyEnded() {
    return latest().stream().map(Kept::state).toList();
  }

  /** Removes post-mortems that are too old or exceed a limit. */
  synchronized void removeOld() {
    long since = clock.getAsLong() - retention.ageMillis();
    long bytes = 0;
    int left = 0;
    for (PostMortem each : all()) {
      bytes += each.bytes();
      left++;
      if (each.foundMillis() < since || bytes > retention.bytes() || left > MAX_POST_MORTEMS) {
        remove(each);
      }
    }
    forgetSummaries();
  }

  private void remove(PostMortem old) {
    kept.remove(old.host().id());
    if (removedHosts.size() < MAX_POST_MORTEMS) {
      removedHosts.put(old.host().id(), old.heartbeatMillis());
    }
    try {
      Files.deleteIfExists(file(old));
      removed++;
    } catch (IOException | RuntimeException e) {
      failures++;
      log.accept(
          LogSanitizer.plain(
              "the post-mortem of host " + old.host().id() + " cannot be removed: " + e));
    }
  }

  private Path file(PostMortem postMortem) {
    return directory.resolve(postMortem.host().id() + StatsFileWriter.SUFFIX);
  }

  @Override
  public synchronized List<PostMortem> all() {
    List<PostMortem> all = new ArrayList<>();
    kept.values().forEach(each -> all.add(each.postMortem));
    all.sort(LATEST_FIRST);
    return all;
  }

  /** Reads without the lock, so that scrapes do not wait for a page whose file system hangs. */
  @Override
  public HostView state(PostMortem postMortem) throws IOException {
    return state(HeapBudget.checkForPage(new StatsFileReader().read(file(postMortem))));
  }

  /** Returns the number of post-mortems with a summary, whose leaks scrapes show. */
  synchronized int summaries() {
    return (int) kept.values().stream().filter(each -> each.summary != null).count();
  }

  /** Returns the report of a post-mortem without the frames of stacks. Reads without the lock. */
  HostView sites(PostMortem postMortem) throws IOException {
    return state(HeapBudget.checkForPage(new StatsFileReader().readSites(file(postMortem))));
  }

  /** Reads without the lock. */
  @Override
  public History history(PostMortem postMortem) throws IOException {
    return new StatsFileReader().readHistory(file(postMortem));
  }

  /** Returns the number of post-mortems that were removed since the start. */
  synchronized long removed() {
    return removed;
  }

  /** Returns how often a post-mortem could not be read or removed. */
  synchronized long failures() {
    return failures;
  }

  /** Returns the size of all post-mortems in bytes. */
  synchronized long bytes() {
    return kept.values().stream().mapToLong(each -> each.postMortem.bytes()).sum();
  }
}
