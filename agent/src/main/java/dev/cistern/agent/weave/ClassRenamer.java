/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Renames packages in our own class files, as they are defined for one copy of Netty.
 *
 * <p>Every name in a class file, alone or inside a descriptor, stands in a UTF-8 entry of its
 * constant pool, and none of our string constants holds a renamed package with slashes. So
 * replacing bytes in those entries renames a class a hundred times faster than a pass through its
 * code: it happens while the application starts.
 */
public final class ClassRenamer {
  private static final int POOL_COUNT_AT = 8;

  // the tags of the constant pool (JVMS, 4.4)
  private static final int UTF8 = 1;
  private static final int INTEGER = 3;
  private static final int FLOAT = 4;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;
  private static final int CLASS = 7;
  private static final int STRING = 8;
  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;
  private static final int NAME_AND_TYPE = 12;
  private static final int METHOD_HANDLE = 15;
  private static final int METHOD_TYPE = 16;
  private static final int DYNAMIC = 17;
  private static final int INVOKE_DYNAMIC = 18;
  private static final int MODULE = 19;
  private static final int PACKAGE = 20;

  private final List<byte[]> from = new ArrayList<>();
  private final List<byte[]> to = new ArrayList<>();

  /** From now on {@code oldName} becomes {@code newName}; both with slashes. */
  public ClassRenamer rename(String oldName, String newName) {
    if (!oldName.equals(newName)) {
      from.add(oldName.getBytes(StandardCharsets.UTF_8));
      to.add(newName.getBytes(StandardCharsets.UTF_8));
    }
    return this;
  }

  /** The class file with the new names. */
  public byte[] apply(byte[] classFile) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(classFile.length + 512);
    int count = u2(classFile, POOL_COUNT_AT);
    int at = POOL_COUNT_AT + 2;
    out.write(classFile, 0, at);
    for (int entry = 1; entry < count; entry++) {
      int tag = classFile[at];
      int bytes = entryBytes(classFile, at);
      if (tag == UTF8) {
        writeRenamed(classFile, at + 3, bytes - 3, out);
      } else {
        out.write(classFile, at, bytes);
      }
      if (tag == LONG || tag == DOUBLE) {
        entry++; // these take two places
      }
      at += bytes;
    }
    out.write(classFile, at, classFile.length - at);
    return out.toByteArray();
  }

  private void writeRenamed(byte[] classFile, int start, int length, ByteArrayOutputStream out) {
    byte[] text = new byte[length];
    System.arraycopy(classFile, start, text, 0, length);
    for (int i = 0; i < from.size(); i++) {
      text = replace(text, from.get(i), to.get(i));
    }
    out.write(UTF8);
    out.write(text.length >>> 8);
    out.write(text.length);
    out.write(text, 0, text.length);
  }

  private static byte[] replace(byte[] text, byte[] oldName, byte[] newName) {
    int found = indexOf(text, oldName, 0);
    if (found < 0) {
      return text;
    }
    ByteArrayOutputStream replaced = new ByteArrayOutputStream(text.length + newName.length);
    int start = 0;
    for (; found >= 0; found = indexOf(text, oldName, start)) {
      replaced.write(text, start, found - start);
      replaced.write(newName, 0, newName.length);
      start = found + oldName.length;
    }
    replaced.write(text, start, text.length - start);
    return replaced.toByteArray();
  }

  private static int indexOf(byte[] text, byte[] name, int start) {
    for (int at = start; at <= text.length - name.length; at++) {
      int same = 0;
      while (same < name.length && text[at + same] == name[same]) {
        same++;
      }
      if (same == name.length) {
        return at;
      }
    }
    return -1;
  }

  private static int entryBytes(byte[] classFile, int at) {
    return switch (classFile[at]) {
      case UTF8 -> 3 + u2(classFile, at + 1);
      case LONG, DOUBLE -> 9;
      case CLASS, STRING, METHOD_TYPE, MODULE, PACKAGE -> 3;
      case METHOD_HANDLE -> 4;
      case INTEGER, FLOAT, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE -> 5;
      case DYNAMIC, INVOKE_DYNAMIC -> 5;
      default -> throw new IllegalArgumentException("constant pool tag " + classFile[at]);
    };
  }

  private static int u2(byte[] classFile, int at) {
    return ((classFile[at] & 0xff) << 8) | (classFile[at + 1] & 0xff);
  }
}
