/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An application with a Netty on its class path. It runs another application, with another Netty,
 * in a layer of modules. Orders: {@code deploy one|many path} (the modules of the path in one
 * loader, or each in its own), {@code class own|layer} (class of the buffers of that application),
 * {@code request own|layer} (number of buffers that a request took), {@code collect}, {@code
 * undeploy} (number of the layer's loaders that remain), {@code exit}.
 */
public final class Layers {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

  private final Function<String, Object> own = new WebApplication();
  private Function<String, Object> inLayer = own;

  /**
   * Phantom references, because other references are cleared before the finalizers of Netty and
   * Cistern have run.
   */
  private final List<PhantomReference<ClassLoader>> loaders = new ArrayList<>();

  private Layers() {}

  public static void main(String[] arguments) throws Exception {
    Layers layers = new Layers();
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String order = in.readLine(); order != null; order = in.readLine()) {
      if (order.equals("exit")) {
        return;
      }
      System.out.println(order + ' ' + layers.follow(order.split(" ", -1)));
    }
  }

  private Object follow(String[] words) throws Exception {
    return switch (words[0]) {
      case "deploy" -> deploy(words[1].equals("many"), words[2]);
      case "class", "request" -> (words[1].equals("own") ? own : inLayer).apply(words[0]);
      case "collect" -> collect();
      default -> undeploy();
    };
  }

  @SuppressWarnings("unchecked") // from another loader, with an interface of the JDK
  private String deploy(boolean eachInItsOwn, String path) throws Exception {
    Path[] entries =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(path)
            .map(Path::of)
            .toArray(Path[]::new);
    ModuleFinder finder = ModuleFinder.of(entries);
    Set<String> names =
        finder.findAll().stream()
            .map(ModuleReference::descriptor)
            .map(descriptor -> descriptor.name())
            .collect(Collectors.toSet());
    ModuleLayer parent = ModuleLayer.boot();
    Configuration modules = parent.configuration().resolve(finder, ModuleFinder.of(), names);
    ClassLoader outside = ClassLoader.getPlatformClassLoader();
    ModuleLayer layer =
        eachInItsOwn
            ? parent.defineModulesWithManyLoaders(modules, outside)
            : parent.defineModulesWithOneLoader(modules, outside);
    for (String name : names) {
      loaders.add(new PhantomReference<>(layer.findLoader(name), new ReferenceQueue<>()));
    }
    Class<?> application = layer.findLoader("app").loadClass("example.host.WebApplication");
    inLayer =
        (Function<String, Object>)
            application.asSubclass(Function.class).getConstructor().newInstance();
    return application.getModule().toString();
  }

  private static String collect() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return "";
  }

  private long undeploy() {
    inLayer = own;
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (left() > 0 && System.nanoTime() - deadline < 0) {
      System.gc();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    return left();
  }

  private long left() {
    return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
  }
}
