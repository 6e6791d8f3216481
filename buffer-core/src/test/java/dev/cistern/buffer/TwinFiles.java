/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.buffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Two files for calls that take a file channel. */
final class TwinFiles implements AutoCloseable {
  private final FileChannel theirs = open();
  private final FileChannel ours = open();

  private static FileChannel open() {
    try {
      Path file = Files.createTempFile("twin", ".bin");
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Files.delete(file);
      return channel;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns the channels of both files, which have these bytes and the same position. */
  Both fresh(byte[] bytes) {
    fill(theirs, bytes);
    fill(ours, bytes);
    return new Both(theirs, ours);
  }

  private static void fill(FileChannel channel, byte[] bytes) {
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.position(3);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static String show(FileChannel channel) {
    try {
      byte[] bytes = new byte[(int) channel.size()];
      channel.read(ByteBuffer.wrap(bytes), 0);
      return "at " + channel.position() + Arrays.toString(bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    theirs.close();
    ours.close();
  }
}
