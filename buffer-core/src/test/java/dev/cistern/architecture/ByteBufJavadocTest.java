/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.buffer.ByteBuf;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Javadoc of {@link ByteBuf} is complete: each method has a description, its parameters, its
 * result and its declared exceptions. The build of all other classes does not require the tags.
 */
class ByteBufJavadocTest {
  private static final Path SOURCE = Path.of("src/main/java/dev/cistern/buffer/ByteBuf.java");

  @TempDir private Path classes;

  /** Returns what doclint reports about a source, one message for each fault. */
  private List<String> faults(JavaFileObject source, StandardJavaFileManager files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var diagnostics = new DiagnosticCollector<JavaFileObject>();
    List<String> options =
        List.of(
            "-Xdoclint:all",
            "-proc:none",
            "-classpath",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString());
    compiler.getTask(new StringWriter(), files, diagnostics, options, null, List.of(source)).call();
    return diagnostics.getDiagnostics().stream()
        .filter(found -> found.getKind() != Diagnostic.Kind.NOTE)
        .map(fault -> fault.getLineNumber() + ": " + fault.getMessage(Locale.ROOT))
        .toList();
  }

  private static JavaFileObject source(String methods) {
    String text = "/** A type. */ public interface Sample {" + methods + "}";
    return new SimpleJavaFileObject(
        URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  @Test
  void eachMethodOfByteBufIsDocumented() throws IOException {
    try (StandardJavaFileManager files = files()) {
      for (JavaFileObject source : files.getJavaFileObjects(SOURCE)) {
        assertThat(faults(source, files)).isEmpty();
      }
    }
  }

  @Test
  void aMissingDescriptionOrTagIsAFault() throws IOException {
    try (StandardJavaFileManager files = files()) {
      assertThat(faults(source("int a(int b);"), files)).hasSize(1);
      assertThat(faults(source("/** Adds.\n* @return c\n*/ int a(int b);"), files)).hasSize(1);
      assertThat(faults(source("/** Adds.\n* @param b c\n*/ int a(int b);"), files)).hasSize(1);
      assertThat(
              faults(
                  source("/** Adds.\n* @param b c\n* @return d\n*/ int a(int b) throws Exception;"),
                  files))
          .hasSize(1);
      assertThat(faults(source("/** Adds.\n* @param b c\n* @return d\n*/ int a(int b);"), files))
          .isEmpty();
    }
  }

  private static StandardJavaFileManager files() {
    return ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, Locale.ROOT, null);
  }
}
