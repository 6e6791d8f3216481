/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.leak;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for frames of frameworks that are never the site of an allocation. Thread-safe. */
public final class SiteRules {
  private static final String RESOURCE = "site-rules.txt";
  private static final Pattern RULE = Pattern.compile("[\\w$]+(\\.[\\w$]+){2,}\\*?(#[\\w$<>]+)?");

  /** Limit of classes with remembered rules. A process allocates in some hundreds of classes. */
  private static final int MAX_CLASSES = 4_096;

  /** Rules by their first two names, because most classes match no key. */
  private final Map<String, List<Rule>> byStart = new HashMap<>();

  /** Rules by class, for classes seen before. Any thread adds rules. */
  private final Map<String, List<Rule>> byClass = new ConcurrentHashMap<>();

  /** A name, whether it is a prefix within its last segment, and a method or null for all. */
  private record Rule(String name, boolean isPrefix, @Nullable String method) {
    static Rule of(String text) {
      int hash = text.indexOf('#');
      String name = hash < 0 ? text : text.substring(0, hash);
      boolean isPrefix = name.endsWith("*");
      return new Rule(
          isPrefix ? name.substring(0, name.length() - 1) : name,
          isPrefix,
          hash < 0 ? null : text.substring(hash + 1));
    }

    boolean matches(String className, int from) {
      if (!className.startsWith(name, from)) {
        return false;
      }
      int end = from + name.length();
      return isPrefix
          || end == className.length()
          || className.charAt(end) == '.'
          || className.charAt(end) == '$';
    }
  }

  /**
   * Creates rules from their texts.
   *
   * @throws IllegalArgumentException if a text is not a rule
   */
  SiteRules(List<String> texts) {
    for (String text : texts) {
      if (!RULE.matcher(text).matches()) {
        throw new IllegalArgumentException(notRule("'" + text + "'"));
      }
      Rule rule = Rule.of(text);
      byStart.computeIfAbsent(start(rule.name, 0), unused -> new ArrayList<>()).add(rule);
    }
  }

  private static String notRule(String what) {
    return "site rule: "
        + what
        + " (expected: three or more names of a package or class, then * or #method)";
  }

  /** Returns the two names from an index on, or fewer if there are no more. */
  private static String start(String name, int from) {
    int first = name.indexOf('.', from);
    int second = first < 0 ? -1 : name.indexOf('.', first + 1);
    return second < 0 ? name.substring(from) : name.substring(from, second);
  }

  /** Returns whether a rule says that this frame is not a site. */
  boolean folds(StackTraceElement frame) {
    for (Rule rule : ofClass(frame.getClassName())) {
      if (rule.method == null || rule.method.equals(frame.getMethodName())) {
        return true;
      }
    }
    return false;
  }

  private List<Rule> ofClass(String className) {
    List<Rule> known = byClass.get(className);
    if (known == null) {
      known = find(className);
      if (byClass.size() >= MAX_CLASSES) {
        byClass.clear();
      }
      byClass.put(className, known);
    }
    return known;
  }

  /** Returns the rules that match from any name on, because a relocation adds names in front. */
  private List<Rule> find(String className) {
    List<Rule> found = new ArrayList<>();
    for (int from = 0; from >= 0; from = next(className, from)) {
      for (Rule rule : byStart.getOrDefault(start(className, from), List.of())) {
        if (rule.matches(className, from)) {
          found.add(rule);
        }
      }
    }
    return List.copyOf(found);
  }

  private static int next(String className, int from) {
    int dot = className.indexOf('.', from);
    return dot < 0 ? -1 : dot + 1;
  }

  /** Returns the rules that are in force without settings. */
  public static List<String> defaults() {
    try (InputStream in = SiteRules.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        return List.of();
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(SiteRules::withoutComment)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException unreadable) {
      return List.of(); // an allocation must not fail; sites are less exact
    }
  }

  /**
   * Returns the default rules with the lines of a file: further rules, and defaults to remove after
   * a minus sign.
   *
   * @throws IOException if the file cannot be read, or a line is not a rule. The message has the
   *     number of the line and not the line: the file may be another one, with secrets.
   */
  public static List<String> defaultsWith(Path file) throws IOException {
    Set<String> rules = new LinkedHashSet<>(defaults());
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String text = withoutComment(line);
      if (text.isEmpty()) {
        continue;
      }
      boolean isRemoval = text.startsWith("-");
      String rule = isRemoval ? text.substring(1).strip() : text;
      if (!RULE.matcher(rule).matches()) {
        throw new IOException(notRule("line " + number));
      }
      boolean unused = isRemoval ? rules.remove(rule) : rules.add(rule);
    }
    return List.copyOf(rules);
  }

  private static String withoutComment(String line) {
    String text = (line.contains(" #") ? line.substring(0, line.indexOf(" #")) : line).strip();
    return text.startsWith("#") ? "" : text;
  }
}
