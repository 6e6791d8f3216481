/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reader of YAML files of settings, which may contain passwords and tokens. */
public final class YamlFile {
  /** Size limit of a file in bytes. */
  public static final int MAX_BYTES = 1 << 20;

  /** Characters of a key. The text after them may be a password: {@code alice:secret}. */
  private static final Pattern PLAIN_KEY = Pattern.compile("[\\w.@-]*");

  /**
   * Maximum length of a key in messages. All keys of Cistern are shorter, and most tokens are
   * longer.
   */
  private static final int MAX_SHOWN = 40;

  private YamlFile() {}

  /**
   * Returns the document in a file: maps, lists, strings, numbers and booleans; null if the file is
   * empty.
   *
   * @throws YamlException if the file is not YAML
   * @throws IOException if the file cannot be read, is not UTF-8, or has more than {@link
   *     #MAX_BYTES} bytes
   */
  public static @Nullable Object read(Path file) throws IOException {
    String text = text(file);
    try {
      return new Load(LoadSettings.builder().build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw new YamlException(place(e, text) + "(" + kind(e) + ")");
    } catch (StackOverflowError e) {
      throw new YamlException("(" + kind(e) + ")");
    }
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it has more than " + MAX_BYTES + " bytes");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException("it is not UTF-8");
    }
  }

  private static String place(YamlEngineException e, String text) {
    if (e instanceof MarkedYamlEngineException marked) {
      return marked.getProblemMark().or(marked::getContextMark).map(YamlFile::place).orElse("");
    }
    return e instanceof ReaderException reader ? place(text, reader.getPosition()) : "";
  }

  private static String place(Mark mark) {
    return place(mark.getLine(), mark.getColumn());
  }

  /** Returns the location of the character at an index. */
  private static String place(String text, int position) {
    int end = text.offsetByCodePoints(0, Math.min(position, text.codePointCount(0, text.length())));
    int lineStart = text.lastIndexOf('\n', end - 1) + 1;
    int line = (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
    return place(line, text.codePointCount(lineStart, end));
  }

  /** Returns the location as counted from 1, as editors do; the parser counts from 0. */
  private static String place(int line, int column) {
    return "line " + (line + 1) + ", column " + (column + 1) + " ";
  }

  private static String kind(Throwable failure) {
    Throwable cause = failure.getCause();
    return (cause == null ? failure : cause).getClass().getSimpleName();
  }

  /**
   * Returns a key for a message. The key ends at the first character that names of settings and
   * users do not have, because a value may follow. A long key is left out completely.
   */
  public static String shown(String key) {
    Matcher plain = PLAIN_KEY.matcher(key);
    int end = plain.lookingAt() ? plain.end() : 0;
    if (end == key.length() && end <= MAX_SHOWN) {
      return key;
    }
    return (end <= MAX_SHOWN ? key.substring(0, end) : "") + "...";
  }
}
