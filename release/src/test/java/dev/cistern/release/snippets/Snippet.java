/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.release.snippets;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A block of a page that begins with {@code ```java}. It is compiled as members of a class if it
 * begins with an annotation, a modifier or a declaration of a type, otherwise as statements of a
 * method. The class extends {@link Given} and imports all types of the packages below; the block
 * can import further types.
 */
final class Snippet extends SimpleJavaFileObject {
  private static final List<String> IMPORTED =
      List.of(
          "dev.cistern.buffer.*",
          "dev.cistern.exporter.*",
          "dev.cistern.exporter.micrometer.*",
          "dev.cistern.exporter.dump.*",
          "dev.cistern.exporter.metrics.*",
          "dev.cistern.exporter.push.*",
          "dev.cistern.exporter.statsfile.*",
          "dev.cistern.io.*",
          "dev.cistern.netty.*",
          "dev.cistern.release.snippets.Given",
          "io.netty.bootstrap.*",
          "io.netty.channel.*",
          "io.prometheus.metrics.model.registry.*",
          "java.nio.file.*",
          "java.util.*",
          "static java.lang.System.Logger.Level.*");
  private static final Pattern IMPORT = Pattern.compile("import .*;.*");
  private static final Pattern MEMBER =
      Pattern.compile(
          "(@|(public|protected|private|static|abstract|final|class|record|interface|enum)\\b).*");
  private static final String BEGIN = "```java";
  private static final String END = "```";

  private final String page;

  /** The number of the first line of code in the page. */
  private final int firstLine;

  private final List<String> lines;

  private Snippet(String page, int firstLine, List<String> lines) {
    super(
        URI.create(
            "string:///Snippet" + page.replaceAll("[^A-Za-z0-9]", "_") + firstLine + ".java"),
        Kind.SOURCE);
    this.page = page;
    this.firstLine = firstLine;
    this.lines = lines;
  }

  /** Returns the snippets of all pages below a directory, except in directories of builds. */
  static List<Snippet> below(Path directory) throws IOException {
    List<Snippet> snippets = new ArrayList<>();
    for (Path file : pages(directory)) {
      String page = directory.relativize(file).toString().replace('\\', '/');
      snippets.addAll(of(page, Files.readAllLines(file)));
    }
    return snippets;
  }

  /**
   * Returns the pages below a directory. Skips directories whose files another module or Git may
   * delete meanwhile.
   */
  private static List<Path> pages(Path directory) throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            return each.endsWith("target") || each.endsWith(".git")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    Collections.sort(pages);
    return pages;
  }

  private static List<Snippet> of(String page, List<String> text) {
    List<Snippet> snippets = new ArrayList<>();
    for (int i = 0; i < text.size(); i++) {
      if (text.get(i).equals(BEGIN)) {
        int length = text.subList(i + 1, text.size()).indexOf(END);
        int end = length < 0 ? text.size() : i + 1 + length;
        snippets.add(new Snippet(page, i + 2, text.subList(i + 1, end)));
        i = end;
      }
    }
    return snippets;
  }

  /** Compiles snippets and returns each error with the page's name and line. */
  static List<String> errors(List<Snippet> snippets, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> errors = new ArrayList<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    compiler
        .getTask(
            null, null, diagnostic -> add(errors, diagnostic), options, null, List.copyOf(snippets))
        .call();
    return errors;
  }

  private static void add(List<String> errors, Diagnostic<? extends JavaFileObject> diagnostic) {
    if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
      String place =
          diagnostic.getSource() instanceof Snippet snippet
              ? snippet.page + ":" + (snippet.firstLine + diagnostic.getLineNumber() - 1) + ": "
              : "";
      errors.add(place + diagnostic.getMessage(Locale.ROOT));
    }
  }

  String page() {
    return page;
  }

  /**
   * Returns the source. All additions are on the first and last line, so that line numbers agree
   * with the page.
   */
  @Override
  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
    String name = getName().substring(1).replace(".java", "");
    String imports =
        Stream.concat(
                IMPORTED.stream().map(each -> "import " + each + ";"),
                lines.stream().filter(line -> IMPORT.matcher(line).matches()))
            .map(line -> line.replaceFirst("//.*", ""))
            .collect(Collectors.joining(" "));
    List<String> code =
        lines.stream().map(line -> IMPORT.matcher(line).matches() ? "" : line).toList();
    boolean isMember =
        code.stream()
            .filter(line -> !line.isBlank() && !line.startsWith("//"))
            .findFirst()
            .filter(line -> MEMBER.matcher(line).matches())
            .isPresent();
    return imports
        + " abstract class "
        + name
        + " extends Given { "
        + (isMember ? "" : "void run() throws Exception { ")
        + String.join("\n", code)
        + (isMember ? "\n}" : "\n}}");
  }
}
