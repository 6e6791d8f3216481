/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.docs;

import dev.cistern.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the project. */
final class Pages {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```.*?^\\1```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  /** Directories of tools and builds, and the pages of the archive, whose links start elsewhere. */
  private static final Set<String> LEFT_OUT =
      Set.of("target", ".git", ".venv", "node_modules", ".m2");

  private static final Path OF_ARCHIVE = Repository.path("release/src");

  private Pages() {}

  /** Returns all pages. */
  static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    collect(Repository.path(""), pages);
    return pages;
  }

  private static void collect(Path directory, List<Path> pages) throws IOException {
    List<Path> children;
    try (Stream<Path> files = Files.list(directory)) {
      children = files.sorted().toList();
    }
    for (Path child : children) {
      if (Files.isDirectory(child)) {
        if (!LEFT_OUT.contains(child.getFileName().toString()) && !child.equals(OF_ARCHIVE)) {
          collect(child, pages);
        }
      } else if (child.toString().endsWith(".md")) {
        pages.add(child);
      }
    }
  }

  /** Returns the pages for users: the README and the pages directly in {@code docs}. */
  static List<Path> ofUsers() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Repository.path("README.md")));
    try (Stream<Path> files = Files.list(Repository.path("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a page without its fenced blocks of code. */
  static String prose(String page) {
    return BLOCK.matcher(page).replaceAll("");
  }

  /** Returns the anchors that GitHub makes of the headings of a page. */
  static Set<String> anchors(String page) {
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(prose(page))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }
}
