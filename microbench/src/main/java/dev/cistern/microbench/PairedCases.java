/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Cases that compare the library's own operations with Netty's: one case for each pair of benchmark
 * methods {@code <what>Ours} and {@code <what>Netty} of a class and each combination of its
 * parameters. The cases are found by the method names, so that a new pair needs no registration.
 */
final class PairedCases {
  static final String PREFIX = "api/";

  private static final String PACKAGE = Fork.class.getPackageName() + ".";
  private static final List<Variant> VARIANTS = List.of(Variant.LIBRARY, Variant.POOLED_BEST);
  private static final Pattern WORD_START = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  /** Targets by the prefix of the case name; the first match counts. */
  private static final Map<String, Target> TARGETS = new LinkedHashMap<>();

  static {
    TARGETS.put("api/access/", Target.NO_SLOWER);
    TARGETS.put("api/mixed/", Target.NO_SLOWER);
    TARGETS.put("api/bulk/", Target.NO_SLOWER);
    TARGETS.put("api/reference-count/", Target.NO_SLOWER);
    TARGETS.put("api/thread-local/", Target.NO_SLOWER);
    TARGETS.put("api/text/to-string", Target.NO_SLOWER);
    TARGETS.put("api/utf8/to-string", Target.NO_SLOWER);
    TARGETS.put("api/search/for-each-byte", Target.NO_SLOWER);
    TARGETS.put("api/search/", Target.SEARCH);
    TARGETS.put("api/view/", Target.DERIVED);
    TARGETS.put("api/retained-view/", Target.NO_SLOWER);
    TARGETS.put("api/composite/", Target.DERIVED);
    TARGETS.put("api/text/", Target.TEXT);
    TARGETS.put("api/utf8/", Target.TEXT);
    TARGETS.put("api/recycler/", Target.RECYCLER);
    TARGETS.put("api/leak-record/", Target.LEAK_RECORD);
    TARGETS.put("api/leak-watch/access/", Target.LEAK_RECORD);
    TARGETS.put("api/leak-watch/", Target.NO_SLOWER);
  }

  private PairedCases() {}

  static List<Case> all() {
    OutputFormat silent = OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT);
    List<Case> all = new ArrayList<>();
    for (BenchmarkListEntry entry :
        BenchmarkList.defaultList()
            .find(
                silent,
                List.of("^" + Pattern.quote(PACKAGE) + "[A-Za-z0-9]+[.][A-Za-z0-9]+Ours$"),
                List.of())) {
      combine(entry, all);
    }
    return all;
  }

  private static void combine(BenchmarkListEntry entry, List<Case> all) {
    List<Map<String, String>> combinations = new ArrayList<>();
    combinations.add(new LinkedHashMap<>());
    entry
        .getParams()
        .orElse(Map.of())
        .forEach(
            (name, values) -> {
              List<Map<String, String>> longer = new ArrayList<>();
              for (Map<String, String> shorter : combinations) {
                for (String value : values) {
                  Map<String, String> combination = new LinkedHashMap<>(shorter);
                  combination.put(name, value);
                  longer.add(combination);
                }
              }
              combinations.clear();
              combinations.addAll(longer);
            });
    combinations.forEach(combination -> all.add(paired(entry, combination)));
  }

  private static Case paired(BenchmarkListEntry entry, Map<String, String> parameters) {
    String method = entry.getUsername().substring(PACKAGE.length()).replaceFirst("Ours$", "");
    String id = PREFIX + kebab(method.replaceFirst("Benchmark[.]", "/"));
    for (String value : parameters.values()) {
      id += "/" + value.toLowerCase(Locale.ROOT);
    }
    Case one = new Case(id, method, ThreadKind.LOOP, VARIANTS).inPair().aimingAt(target(id));
    parameters.forEach(one::with);
    return one;
  }

  private static String kebab(String name) {
    return WORD_START.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
  }

  private static Target target(String id) {
    return TARGETS.entrySet().stream()
        .filter(entry -> id.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(Target.NONE);
  }
}
