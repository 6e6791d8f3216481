/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.memory.StringContents;
import dev.cistern.pool.PoolInvariants;
import dev.cistern.testing.Tool;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeats {@link StringTransfersTest} in JVMs that represent strings in another way. */
@Tag("D3")
class StringTransfersHiddenContentsTest {
  private static final String FIELD = "value";
  private static final String NO_FIELD = "vague";
  private static final String HIDDEN = "hidden";
  private static final long LIMIT_SECONDS = 120;

  /**
   * Program that runs the tests with the class loader that loaded it, and fails if a test fails.
   */
  public static final class EveryText implements Runnable {
    private static final List<BufferKind> KINDS =
        List.of(
            BufferKind.POOLED_DIRECT,
            BufferKind.UNPOOLED_HEAP,
            BufferKind.DUPLICATE_OF_SLICE_OF_POOLED_HEAP);

    public EveryText() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
      ClassLoader loader =
          arguments[0].equals(HIDDEN) ? new ReloadingLoader() : EveryText.class.getClassLoader();
      Class<?> texts = loader.loadClass(EveryText.class.getName());
      ((Runnable) texts.getConstructor().newInstance()).run();
    }

    @Override
    public void run() {
      int tests = 0;
      for (Method test : StringTransfersTest.class.getDeclaredMethods()) {
        if (test.isAnnotationPresent(EveryKind.class)) {
          KINDS.forEach(kind -> call(test, kind));
          tests++;
        }
      }
      assertThat(tests).isPositive();
      TestAllocators.pools().forEach(PoolInvariants::check);
      System.out.println("passed, Latin-1 inside: " + StringContents.isLatin1("abc"));
    }

    private static void call(Method test, BufferKind kind) {
      try {
        test.invoke(new StringTransfersTest(), kind);
      } catch (InvocationTargetException failed) {
        throw new AssertionError(test.getName() + ", " + kind, failed.getCause());
      } catch (IllegalAccessException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  /**
   * Class loader that defines Cistern's classes again, with a {@link StringContents} that looks for
   * a field that does not exist.
   */
  private static final class ReloadingLoader extends ClassLoader {
    ReloadingLoader() {
      super(StringTransfersHiddenContentsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return name.startsWith("dev.cistern.") ? define(name) : super.loadClass(name, resolve);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        if (name.equals(StringContents.class.getName())) {
          bytes = withoutField(bytes);
        }
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }

    /**
     * Replaces the name of the field, a constant of the class file: its tag 1, its length in two
     * bytes, and its characters.
     */
    private static byte[] withoutField(byte[] bytes) {
      String file = new String(bytes, StandardCharsets.ISO_8859_1);
      String length = "\u0001\u0000" + (char) FIELD.length();
      assertThat(file).containsOnlyOnce(length + FIELD);
      return file.replace(length + FIELD, length + NO_FIELD).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  @Test
  void textsAreTheSameIfTheContentsAreHidden() throws IOException, InterruptedException {
    assertThat(outputOf("-Xshare:auto", HIDDEN)).contains("passed, Latin-1 inside: false");
  }

  @Test
  void textsAreTheSameIfEachCharacterHasTwoBytes() throws IOException, InterruptedException {
    assertThat(outputOf("-XX:-CompactStrings", "")).contains("passed, Latin-1 inside: false");
  }

  /**
   * Returns the output of a separate JVM: threads of the newly loaded classes would outlive the
   * test in this JVM.
   */
  private static String outputOf(String option, String argument)
      throws IOException, InterruptedException {
    Tool.Outcome outcome =
        Tool.run(Tool.java(List.of(option), EveryText.class, argument), LIMIT_SECONDS);
    assertThat(outcome.status()).as("%s", outcome).isZero();
    return outcome.printed();
  }
}
