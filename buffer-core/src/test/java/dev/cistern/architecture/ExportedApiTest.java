/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that the packages that the module exports to everyone expose no types of other packages.
 */
class ExportedApiTest {
  private static final Pattern OUR_TYPE =
      Pattern.compile("(dev\\.cistern(?:\\.[a-z]\\w*)+)\\.[A-Z]");
  private static final Set<String> CISTERN = Set.of("dev.cistern.exporter", "dev.cistern.netty");

  private static Path classes() throws Exception {
    return Path.of(ByteBuf.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Map<String, Set<String>> exports() throws Exception {
    try (InputStream in = Files.newInputStream(classes().resolve("module-info.class"))) {
      return ModuleDescriptor.read(in).exports().stream()
          .collect(
              Collectors.toMap(
                  ModuleDescriptor.Exports::source, ModuleDescriptor.Exports::targets));
    }
  }

  private static Set<String> api() throws Exception {
    return exports().entrySet().stream()
        .filter(export -> export.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void packagesThatAreNoApiAreExportedToOurModulesOnly() throws Exception {
    assertThat(exports())
        .containsEntry("dev.cistern.leak", CISTERN)
        .containsEntry("dev.cistern.leak.report", CISTERN)
        .containsEntry("dev.cistern.stats", CISTERN)
        .containsEntry("dev.cistern.util.internal", CISTERN);
  }

  @Test
  void noSignatureShowsATypeThatIsNotExported() throws Exception {
    Set<String> api = api();
    assertThat(api).contains("dev.cistern.buffer", "dev.cistern.io", "dev.cistern.util");
    Map<String, String> hidden = new TreeMap<>();
    int types = 0;
    for (String name : api) {
      for (Class<?> type : typesOf(name)) {
        types++;
        for (String signature : signatures(type)) {
          Matcher matcher = OUR_TYPE.matcher(signature);
          while (matcher.find()) {
            if (!api.contains(matcher.group(1))) {
              hidden.put(signature, matcher.group(1));
            }
          }
        }
      }
    }
    assertThat(types).as("types of the API").isGreaterThan(50);
    assertThat(hidden).isEmpty();
  }

  /** Returns the types of a package that are visible to its users. */
  private static List<Class<?>> typesOf(String packageName) throws Exception {
    try (Stream<Path> files = Files.list(classes().resolve(packageName.replace('.', '/')))) {
      List<Class<?>> types = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = file.getFileName().toString().replace(".class", "");
        Class<?> type =
            Class.forName(packageName + '.' + name, false, ByteBuf.class.getClassLoader());
        if (isVisible(type)) {
          types.add(type);
        }
      }
      return types;
    }
  }

  private static boolean isVisible(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static List<String> signatures(Class<?> type) {
    List<String> signatures = new ArrayList<>();
    Stream.concat(
            Stream.ofNullable(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()))
        .map(Type::getTypeName)
        .forEach(signatures::add);
    visible(type.getDeclaredFields()).map(Field::toGenericString).forEach(signatures::add);
    visible(type.getDeclaredMethods()).map(Method::toGenericString).forEach(signatures::add);
    visible(type.getDeclaredConstructors())
        .map(Constructor::toGenericString)
        .forEach(signatures::add);
    return signatures;
  }

  private static <T extends Member> Stream<T> visible(T[] members) {
    return Arrays.stream(members)
        .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic());
  }
}
