/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** A class with the name of Netty's pooled allocator but different content. */
final class FakeNetty {
  static final String MAIN = "fake.Main";

  private static final String ALLOCATOR =
      """
      package %1$s.buffer;
      public class PooledByteBufAllocator extends AbstractByteBufAllocator {
        public byte[] newHeapBuffer(int size) { return new byte[size]; }
      }
      """;

  private static final String PARENT =
      """
      package %1$s.buffer;
      public class AbstractByteBufAllocator {}
      """;

  /** Uses the fake; then waits for the end of its input, or continues as the demo's server. */
  private static final String APPLICATION =
      """
      package fake;
      public class Main {
        public static void main(String[] args) throws Exception {
          byte[] memory = new %1$s.buffer.PooledByteBufAllocator().newHeapBuffer(8);
          if (args[0].equals("alone")) {
            System.out.println("ready http=" + memory.length + " https=-1 netty=fake pid=1");
            System.in.read();
          } else {
            Class.forName("example.app.Server")
                .getMethod("main", String[].class).invoke(null, (Object) args);
          }
        }
      }
      """;

  private FakeNetty() {}

  /** Compiles the fake with the given prefix into {@code target}. */
  static void compile(Path target, String prefix) throws IOException {
    Path sources = Files.createDirectories(target.resolve("sources"));
    List<String> arguments = new ArrayList<>(List.of("-d", target.toString()));
    arguments.add(write(sources, "PooledByteBufAllocator", ALLOCATOR.formatted(prefix)));
    arguments.add(write(sources, "AbstractByteBufAllocator", PARENT.formatted(prefix)));
    arguments.add(write(sources, "Main", APPLICATION.formatted(prefix)));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    assertThat(status).as("javac").isZero();
  }

  private static String write(Path directory, String name, String source) throws IOException {
    return Files.writeString(directory.resolve(name + ".java"), source).toString();
  }
}
