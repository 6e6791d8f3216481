/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlFileTest {
  /** Represents a password, a token or a key. */
  private static final String SECRET = "tok3n";

  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("settings.yaml"), text);
  }

  @Test
  void aDocumentIsRead() throws Exception {
    assertThat(YamlFile.read(file("a: 1\nb: [x]\n"))).isInstanceOf(Map.class);
    assertThat(YamlFile.read(file(""))).isNull();
  }

  /** Texts that the parsers of the library and their exceptions would quote. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x: 1~a: [tok3n|line 2, column 10 (ParserException)",
        "x: 1~a: b~  c: tok3n: x|line 3, column 4 (ScannerException)",
        "a: *tok3n|line 1, column 4 (ComposerException)",
        "a: \"tok3n\\q\"|line 1, column 11 (ScannerException)",
        "a: !tok3n x|line 1, column 4 (ConstructorException)",
        "tok3n: 1~tok3n: 2|line 2, column 1 (DuplicateKeyException)",
        "a: tok3n~--- tok3n|line 2, column 1 (ComposerException)",
        "x: é𝄞~a: tok3n\u0001b|line 2, column 9 (ReaderException)",
        "a: !!int tok3n|(NumberFormatException)",
        "a: !!binary tok3n_|(IllegalArgumentException)",
        "'{{ .Values.tok3n }}: x'|(YamlEngineException)",
      })
  void anErrorHasItsPlaceAndKindAndNothingOfTheFile(String text, String message)
      throws IOException {
    Path file = file(text.replace('~', '\n'));
    YamlException e = assertThrows(YamlException.class, () -> YamlFile.read(file));
    assertThat(e).hasMessage(message);
    assertThat(e).hasNoCause();
    assertThat(e.getSuppressed()).isEmpty();
    assertThat(e.toString()).doesNotContain(SECRET);
  }

  @Test
  void deepNestingIsAnErrorOfTheFile() throws Exception {
    Path file = file("[".repeat(200_000));
    assertThat(assertThrows(YamlException.class, () -> YamlFile.read(file)))
        .hasMessage("(StackOverflowError)");
  }

  @Test
  void aFileThatIsTooLargeOrNoTextIsRefused() throws Exception {
    Path large = file("# " + "x".repeat(YamlFile.MAX_BYTES));
    assertThat(assertThrows(IOException.class, () -> YamlFile.read(large)))
        .hasMessageContaining("more than " + YamlFile.MAX_BYTES + " bytes");
    Path binary = Files.write(directory.resolve("b"), SECRET.getBytes(StandardCharsets.UTF_16));
    assertThrows(IOException.class, () -> YamlFile.read(binary));
  }

  @ParameterizedTest
  @CsvSource({
    "basic_auth_users,basic_auth_users",
    "alice.liddell@example,alice.liddell@example",
    "alice:tok3n,alice...",
    "alice tok3n,alice...",
    "tok3n=,tok3n...",
    "$2y$10$tok3n,...",
    "0123456789012345678901234567890123456789tok3n,...",
  })
  void aKeyIsShownUpToAPossibleSecret(String key, String shown) {
    assertThat(YamlFile.shown(key)).isEqualTo(shown);
  }
}
