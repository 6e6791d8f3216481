/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.dump;

import dev.cistern.util.internal.OpenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Retention policy for the dumps in a directory.
 *
 * <p>This process keeps its first automatic dump, which shows the onset of the problem, its latest
 * automatic dumps, and its latest dumps on request. Other running processes keep all their dumps.
 * Among the processes that have ended, the {@value #MAX_ENDED} that wrote last keep theirs. All
 * other files in the directory stay, except unfinished dumps of processes that have ended.
 *
 * <p>One thread at a time adds dumps.
 */
final class DumpRetention {
  /** Number of ended processes whose dumps stay. */
  static final int MAX_ENDED = 10;

  /** Maximum time for writing one dump. An older unfinished dump was abandoned. */
  private static final Duration UNFINISHED_LIMIT = Duration.ofHours(1);

  /**
   * Maximum distance of a valid dump in the future. A later time means that the clock was wrong,
   * and the dump no longer counts as the latest.
   */
  private static final Duration CLOCK_LIMIT = Duration.ofDays(1);

  private final Path directory;
  private final int kept;
  private final DumpLock lock;
  private final LongAdder removed = new LongAdder();

  /** The first automatic dump that was added. A clock that is set back does not change it. */
  private @Nullable Path first;

  /** A dump in the directory. */
  private record Dump(Path path, DumpName name) {
    String time() {
      return name.time();
    }
  }

  /**
   * Contents of the directory.
   *
   * @param dumps dumps by process, the earliest first
   * @param left unfinished dumps of processes that have ended
   * @param locks processes that have a lock file
   */
  private record Entries(Map<String, List<Dump>> dumps, List<Path> left, Set<String> locks) {
    static Entries read(Path directory) throws IOException {
      Entries entries = new Entries(new TreeMap<>(), new ArrayList<>(), new HashSet<>());
      try (Stream<Path> files = Files.list(directory)) {
        files.forEach(entries::add);
      }
      entries.dumps.values().forEach(of -> of.sort(Comparator.comparing(Dump::time)));
      return entries;
    }

    private void add(Path file) {
      String text = String.valueOf(file.getFileName());
      String owner = DumpName.lockOwner(text);
      DumpName name = DumpName.parse(text);
      if (owner != null) {
        locks.add(owner);
      } else if (name != null && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        if (!name.isUnfinished()) {
          dumps
              .computeIfAbsent(name.process(), process -> new ArrayList<>())
              .add(new Dump(file, name));
        } else if (name.time().compareTo(DumpName.time(UNFINISHED_LIMIT.negated())) < 0) {
          left.add(file);
        }
      }
    }
  }

  /**
   * Creates the retention policy of a directory, without reading the directory.
   *
   * @param kept number of dumps of each kind that this process keeps, besides the first automatic
   *     dump
   */
  DumpRetention(Path directory, int kept) {
    this.directory = directory;
    this.kept = kept;
    this.lock = new DumpLock(directory);
  }

  /** Returns the number of dumps that were removed. */
  long removed() {
    return removed.sum();
  }

  /**
   * Registers a new dump, and removes old dumps to make room for it.
   *
   * @throws IOException if an old dump could not be removed; the other old dumps are removed
   */
  void add(Path dump, String process, boolean isAutomatic) throws IOException {
    if (first == null && isAutomatic) {
      first = dump;
    }
    Set<String> open = OpenFiles.names();
    lock.take(process, open);
    Entries entries = Entries.read(directory);
    entries.locks.removeAll(entries.dumps.keySet());
    entries.locks.forEach(lock::remove); // a running process creates its file again
    List<Dump> own = entries.dumps.getOrDefault(process, List.of());
    entries.dumps.remove(process);
    List<Path> surplus = new ArrayList<>(entries.left);
    surplus.addAll(surplus(own, true, dump));
    surplus.addAll(surplus(own, false, dump));
    surplus.addAll(ended(entries.dumps, open));
    removeAll(surplus);
  }

  /**
   * Returns the dumps of this process to remove.
   *
   * @param own all dumps of this process, the earliest first
   * @param latest the new dump, which stays whatever its time is
   */
  private List<Path> surplus(List<Dump> own, boolean isAutomatic, Path latest) {
    List<Path> dumps = new ArrayList<>();
    own.stream()
        .filter(dump -> dump.name().isAutomatic() == isAutomatic)
        .forEach(dump -> dumps.add(dump.path()));
    if (isAutomatic && !dumps.isEmpty()) {
      dumps.remove(0);
      dumps.remove(first);
    }
    int others = dumps.remove(latest) ? kept - 1 : kept;
    return dumps.subList(0, Math.max(0, dumps.size() - others));
  }

  /** Returns the dumps to remove of the processes that have ended. */
  private List<Path> ended(Map<String, List<Dump>> others, Set<String> open) {
    List<Path> paths = new ArrayList<>();
    if (others.size() > MAX_ENDED) {
      List<List<Dump>> ended = new ArrayList<>();
      others.forEach(
          (process, dumps) -> {
            if (!lock.isRunning(process, open)) {
              ended.add(dumps);
            }
          });
      ended.sort(Comparator.comparing(DumpRetention::lastTime).reversed());
      ended.stream().skip(MAX_ENDED).flatMap(List::stream).map(Dump::path).forEach(paths::add);
    }
    return paths;
  }

  private static String lastTime(List<Dump> dumps) {
    String time = dumps.get(dumps.size() - 1).time();
    return time.compareTo(DumpName.time(CLOCK_LIMIT)) > 0 ? "" : time;
  }

  private void removeAll(List<Path> dumps) throws IOException {
    IOException failure = null;
    for (Path dump : dumps) {
      try {
        DumpFiles.remove(dump);
        removed.increment();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
