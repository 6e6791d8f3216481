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
 * Decides which dumps of a directory stay.
 *
 * <p>Of this process: the first automatic dump, which shows the onset of the trouble, the latest
 * automatic ones, and the latest on request. Of other processes: all dumps of those that run, and
 * of the {@value #MAX_ENDED} that wrote last of those that have ended. Everything else in the
 * directory stays, but for unfinished dumps of processes that ended while they wrote.
 *
 * <p>One thread at a time adds dumps.
 */
final class DumpRetention {
  /** Number of processes that have ended and whose dumps stay. */
  static final int MAX_ENDED = 10;

  /** No process writes one dump for longer. */
  private static final Duration UNFINISHED_LIMIT = Duration.ofHours(1);

  /** The clock was wrong for a dump that is further in the future; it does not stay the latest. */
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
   * Content of the directory.
   *
   * @param dumps by process, the earliest first
   * @param left unfinished dumps of processes that have ended
   * @param locks processes that have a file to lock
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
   * Creates the retention of a directory, which is not read yet.
   *
   * @param kept number of dumps of this process that are kept of each kind, without the first
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
   * Takes note of a dump that was written, and removes those that make room for it.
   *
   * @throws IOException if one could not be removed; all others are
   */
  void add(Path dump, String process, boolean isAutomatic) throws IOException {
    if (first == null && isAutomatic) {
      first = dump;
    }
    Set<String> open = OpenFiles.names();
    lock.take(process, open);
    Entries entries = Entries.read(directory);
    entries.locks.removeAll(entries.dumps.keySet());
    entries.locks.forEach(lock::remove); // a process that runs makes its own again
    List<Dump> own = entries.dumps.getOrDefault(process, List.of());
    entries.dumps.remove(process);
    List<Path> surplus = new ArrayList<>(entries.left);
    surplus.addAll(surplus(own, true, dump));
    surplus.addAll(surplus(own, false, dump));
    surplus.addAll(ended(entries.dumps, open));
    removeAll(surplus);
  }

  /**
   * Returns the dumps of this process that make room.
   *
   * @param own all dumps of this process, the earliest first
   * @param latest the new dump, which stays with any time
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

  /** Returns all dumps of the processes that have ended and make room. */
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
