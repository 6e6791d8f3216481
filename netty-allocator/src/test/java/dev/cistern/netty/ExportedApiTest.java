/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The public types expose only exported types, except for the methods for the exporter. */
class ExportedApiTest {
  private static final Pattern OUR_TYPE =
      Pattern.compile("(dev\\.cistern(?:\\.[a-z]\\w*)+)\\.[A-Z]");

  @Test
  void onlyTheExportersMethodsShowTypesThatAreNotExported() throws Exception {
    Set<String> exported = exportedPackages(ByteBuf.class);
    exported.addAll(exportedPackages(CisternAllocator.class));
    assertThat(exported).contains("dev.cistern.netty", "dev.cistern.buffer");
    List<Class<?>> types = publicTypes();
    assertThat(types).contains(CisternAllocator.class, CisternBufs.class);
    Set<String> shown = new TreeSet<>();
    for (Class<?> type : types) {
      Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), supertypes(type))
          .filter(supertype -> isHidden(supertype.getTypeName(), exported))
          .map(Type::getTypeName)
          .forEach(shown::add);
      for (Executable method : type.getDeclaredMethods()) {
        if (isVisible(method) && isHidden(method.toGenericString(), exported)) {
          shown.add(method.getName());
        }
      }
      for (Member field : type.getDeclaredFields()) {
        if (isVisible(field) && isHidden(String.valueOf(field), exported)) {
          shown.add(field.getName());
        }
      }
    }
    assertThat(shown)
        .containsExactly(
            "allocations",
            "chunks",
            "dev.cistern.pool.AllocatorDiagnostics",
            "leaks",
            "lifetimes",
            "live",
            "pools");
  }

  private static Stream<Type> supertypes(Class<?> type) {
    return Stream.of(type.getGenericInterfaces());
  }

  private static boolean isVisible(Member member) {
    return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
        && !member.isSynthetic();
  }

  private static boolean isHidden(String signature, Set<String> exported) {
    Matcher matcher = OUR_TYPE.matcher(signature);
    while (matcher.find()) {
      if (!exported.contains(matcher.group(1))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the packages that the module of a type exports to all; its classes may be in a jar. */
  private static Set<String> exportedPackages(Class<?> type) throws Exception {
    Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> packages = new TreeSet<>();
    for (ModuleReference module : ModuleFinder.of(place).findAll()) {
      for (ModuleDescriptor.Exports export : module.descriptor().exports()) {
        if (export.targets().isEmpty()) {
          packages.add(export.source());
        }
      }
    }
    return packages;
  }

  private static List<Class<?>> publicTypes() throws Exception {
    Path place =
        Path.of(CisternAllocator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.list(place.resolve("dev/cistern/netty"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = file.getFileName().toString().replace(".class", "");
        Class<?> type = Class.forName("dev.cistern.netty." + name, false, loader());
        if (Modifier.isPublic(type.getModifiers())) {
          types.add(type);
        }
      }
    }
    return types;
  }

  private static ClassLoader loader() {
    return CisternAllocator.class.getClassLoader();
  }
}
