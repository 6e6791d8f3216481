/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.host;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;

/** A second agent, which reads the current code of Netty's instrumented classes. */
public final class Prober {
  private Prober() {}

  /** Writes the simple names of the classes that call a hook of Cistern to a file. */
  public static void agentmain(String file, Instrumentation instrumentation) throws Exception {
    List<String> woven = new ArrayList<>();
    ClassFileTransformer looking =
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              ClassLoader loader,
              String name,
              Class<?> type,
              ProtectionDomain domain,
              byte[] classFile) {
            if (new String(classFile, StandardCharsets.ISO_8859_1).contains("/Cistern")) {
              woven.add(type.getSimpleName());
            }
            return null;
          }
        };
    instrumentation.addTransformer(looking, true);
    try {
      for (Class<?> type : instrumentation.getAllLoadedClasses()) {
        if (isOfInterest(type.getName())) {
          instrumentation.retransformClasses(type);
        }
      }
    } finally {
      instrumentation.removeTransformer(looking);
    }
    Files.write(Path.of(file), woven);
  }

  private static boolean isOfInterest(String name) {
    return name.equals("io.netty.channel.AbstractChannel$AbstractUnsafe")
        || name.equals("io.netty.handler.codec.ByteToMessageDecoder")
        || (name.startsWith("io.netty.buffer.")
            && !name.contains("Cistern")
            && (name.endsWith("Allocator") || name.endsWith("ByteBuf")));
  }
}
