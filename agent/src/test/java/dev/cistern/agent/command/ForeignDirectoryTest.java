/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that root writes to a directory in which another user can plant links. */
class ForeignDirectoryTest {
  private static final byte[] CONTENT = "mode=off\n".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path folder;

  @Test
  void aFileIsWrittenAndReplacesALinkInsteadOfItsTarget() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "kept");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path link = Files.createSymbolicLink(folder.resolve("x.control"), secret);
    try (ForeignDirectory directory = ForeignDirectory.open(folder)) {
      directory.rename(directory.create(".x.control", ".tmp", CONTENT, null, false), "x.control");
    }
    assertThat(link).isRegularFile().hasBinaryContent(CONTENT);
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(link)))
        .isEqualTo("rw-r--r--");
    assertThat(secret).hasContent("kept");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
  }

  @Test
  void aLinkToADirectoryIsRefused() throws IOException {
    Path target = Files.createDirectory(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    assertThatThrownBy(() -> ForeignDirectory.open(link)).hasMessageContaining("symbolic link");
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void rootWritesForTheOwner() throws IOException {
    assumeTrue(Files.getOwner(folder).getName().equals("root"), "only root can give files away");
    UserPrincipal other =
        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    try (ForeignDirectory directory = ForeignDirectory.open(folder)) {
      String name = directory.create("x", ".control", CONTENT, other, true);
      assertThat(directory.owner(name)).isEqualTo(other);
      String ofRoot = directory.create("x", ".control", CONTENT, other, false);
      assertThat(directory.owner(ofRoot).getName()).isEqualTo("root");
    }
  }
}
