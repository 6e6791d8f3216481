/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.sidecar;

import dev.cistern.exporter.HostReport;
import dev.cistern.exporter.HostState;
import dev.cistern.exporter.PostMortem;
import dev.cistern.exporter.PostMortems;
import dev.cistern.exporter.statsfile.StatsFile;
import dev.cistern.exporter.statsfile.StatsFileHeader;
import dev.cistern.exporter.statsfile.StatsFileReader;
import dev.cistern.exporter.statsfile.StatsFileWriter;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What hosts left that are gone: a copy of each one's stats file, with its last state, in one
 * directory. Those that are too old are removed, and the oldest where all together are too large.
 */
public final class PostMortemStore implements PostMortems {
  /** Post-mortems that are kept at most, however small they are. */
  static final int MOST = 512;

  /** Hosts that scrapes show after their end at a time: the latest. */
  static final int MOST_LATELY = 64;

  private static final Comparator<PostMortem> LATEST_FIRST =
      Comparator.comparingLong(PostMortem::foundMillis)
          .reversed()
          .thenComparing(kept -> kept.host().id());

  private final Path directory;
  private final Retention retention;
  private final Consumer<String> log;
  private final LongSupplier clock;
  private final StatsFileReader reader = new StatsFileReader();

  /** By host id. Guarded by this object's lock, as all below. */
  private final Map<String, Kept> kept = new HashMap<>();

  /** Hosts whose post-mortem was removed while their own file could not be. */
  private final Set<String> removedHosts = new HashSet<>();

  private long removed;
  private long failures;

  /** A post-mortem, and what scrapes show of it for a while. */
  private static final class Kept {
    private final PostMortem postMortem;
    private final HostState summary;

    Kept(PostMortem postMortem, HostState summary) {
      this.postMortem = postMortem;
      this.summary = summary;
    }
  }

  /**
   * How long what is kept, is kept.
   *
   * @param ageMillis after which a post-mortem is removed
   * @param bytes of all post-mortems together, above which the oldest are removed
   * @param downMillis for which scrapes show a host after its end
   */
  public record Retention(long ageMillis, long bytes, long downMillis) {}

  PostMortemStore(Path directory, Retention retention, Consumer<String> log, LongSupplier clock) {
    this.directory = directory;
    this.retention = retention;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Finds what an earlier run has kept.
   *
   * @throws IOException if the directory is neither there nor can be made
   */
  synchronized void open() throws IOException {
    Files.createDirectories(directory);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, "[!.]*" + StatsFileWriter.SUFFIX)) {
      for (Path file : files) {
        try {
          add(file);
        } catch (IOException | RuntimeException e) {
          failures++;
          log.accept("the post-mortem '" + file + "' is left alone: " + e.getMessage());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    removeOld();
  }

  private void add(Path file) throws IOException {
    StatsFile read = reader.read(file);
    StatsFileHeader header = read.header();
    String id = header.identity().id();
    if (!header.isCopy() || !file.getFileName().toString().equals(id + StatsFileWriter.SUFFIX)) {
      throw new IOException("not a post-mortem of host " + id);
    }
    HostState state = state(read);
    PostMortem postMortem =
        new PostMortem(
            header.identity(),
            state.state(),
            header.heartbeatMillis(),
            header.diedMillis(),
            header.fileBytes());
    kept.put(id, new Kept(postMortem, Summary.of(state)));
  }

  private static HostState state(StatsFile read) {
    HostReport report = read.report();
    return new HostState(
        report != null
            ? report
            : new HostReport(read.identity(), read.heartbeatMillis(), 0, List.of()),
        read.exitedCleanly() ? HostState.State.EXITED : HostState.State.DIED,
        read.heartbeatMillis());
  }

  /**
   * Copies the file of a host that is gone, and removes it.
   *
   * @throws IOException if it cannot be copied, or not be removed
   */
  synchronized void keep(Path file, long nowMillis) throws IOException {
    Path copy = directory.resolve(file.getFileName());
    StatsFileHeader header = reader.readHeader(file);
    String id = header.identity().id();
    boolean isOld = nowMillis - header.heartbeatMillis() > retention.ageMillis();
    // What is kept already could only not be removed the last time, perhaps by an earlier run.
    if (!isOld && !kept.containsKey(id) && !removedHosts.contains(id)) {
      copy(file, copy, nowMillis);
    }
    Files.deleteIfExists(file);
    removedHosts.remove(id);
    removeOld();
  }

  /** A file is only given up once its copy can be read. */
  private void copy(Path file, Path copy, long nowMillis) throws IOException {
    reader.copy(file, copy, nowMillis);
    try {
      add(copy);
    } catch (IOException | RuntimeException | Error unreadable) {
      Files.deleteIfExists(copy);
      throw unreadable;
    }
  }

  /** The hosts that have ended lately, with their leaks and nothing else. */
  synchronized List<HostState> lately() {
    long since = clock.getAsLong() - retention.downMillis();
    return kept.values().stream()
        .filter(each -> each.postMortem.foundMillis() >= since)
        .sorted(Comparator.comparing(each -> each.postMortem, LATEST_FIRST))
        .limit(MOST_LATELY)
        .map(each -> each.summary)
        .toList();
  }

  /** Removes what is too old or too much. */
  synchronized void removeOld() {
    long since = clock.getAsLong() - retention.ageMillis();
    long bytes = 0;
    int left = 0;
    for (PostMortem each : all()) {
      bytes += each.bytes();
      left++;
      if (each.foundMillis() < since || bytes > retention.bytes() || left > MOST) {
        remove(each);
      }
    }
  }

  private void remove(PostMortem old) {
    kept.remove(old.host().id());
    if (removedHosts.size() < MOST) {
      removedHosts.add(old.host().id());
    }
    try {
      Files.deleteIfExists(file(old));
      removed++;
    } catch (IOException | RuntimeException e) {
      failures++;
      log.accept("the post-mortem of host " + old.host().id() + " cannot be removed: " + e);
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

  @Override
  public synchronized HostState state(PostMortem postMortem) throws IOException {
    return state(reader.read(file(postMortem)));
  }

  /** Post-mortems that were removed since the start. */
  synchronized long removed() {
    return removed;
  }

  /** Times that one could not be read or removed. */
  synchronized long failures() {
    return failures;
  }

  /** Bytes of all that are kept. */
  synchronized long bytes() {
    return kept.values().stream().mapToLong(each -> each.postMortem.bytes()).sum();
  }
}
