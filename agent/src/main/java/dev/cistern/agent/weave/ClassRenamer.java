/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;

/**
 * Renames packages in Cistern's class files when they are defined for one copy of Netty.
 *
 * <p>Every name in a class file, alone or inside a descriptor, is in a UTF-8 entry of its constant
 * pool, and no string constant of Cistern contains a renamed package with slashes. So replacing
 * bytes in those entries renames a class. That is a hundred times faster than a pass through its
 * code, which matters because it happens while the application starts.
 */
public final class ClassRenamer {
  /** The tag of a UTF-8 entry of the constant pool (JVMS, 4.4). */
  private static final int UTF8 = 1;

  private final List<String> from = new ArrayList<>();
  private final List<String> to = new ArrayList<>();

  /** Adds a renaming of {@code oldName} to {@code newName}, both with slashes. */
  public ClassRenamer rename(String oldName, String newName) {
    if (!oldName.equals(newName)) {
      from.add(oldName);
      to.add(newName);
    }
    return this;
  }

  /** Returns the class file with the new names. */
  public byte[] apply(byte[] classFile) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(classFile.length + 512);
    ClassReader reader = new ClassReader(classFile);
    int copied = 0;
    for (int item = 1; item < reader.getItemCount(); item++) {
      int start = reader.getItem(item); // 0 for the second place of a long or double
      if (start > 0 && classFile[start - 1] == UTF8) {
        int length = reader.readUnsignedShort(start);
        // one character for each byte, so that all other bytes stay unchanged
        String text = new String(classFile, start + 2, length, ISO_8859_1);
        String renamed = renamed(text);
        if (!renamed.equals(text)) {
          out.write(classFile, copied, start - copied);
          out.write(renamed.length() >>> 8);
          out.write(renamed.length());
          out.writeBytes(renamed.getBytes(ISO_8859_1));
          copied = start + 2 + length;
        }
      }
    }
    out.write(classFile, copied, classFile.length - copied);
    return out.toByteArray();
  }

  private String renamed(String text) {
    String renamed = text;
    for (int i = 0; i < from.size(); i++) {
      renamed = renamed.replace(from.get(i), to.get(i));
    }
    return renamed;
  }
}
