/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cistern.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ControlFileTest {
  @TempDir private Path folder;
  private Path path;
  private int user;
  private ControlFile file;

  @BeforeEach
  void watch() throws Exception {
    path = folder.resolve("x.control");
    user = (Integer) Files.getAttribute(folder, "unix:uid");
    file = new ControlFile(path, user);
  }

  private void write(String text) throws Exception {
    Files.writeString(path, text);
    permit("rw-r--r--");
  }

  private void permit(String permissions) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void aFileIsReadOnceForEachChange() throws Exception {
    assertThat(file.poll()).isNull();
    write("mode=off\n");
    assertThat(file.poll()).containsExactly("mode=off");
    assertThat(file.poll()).isNull();
    write("mode=swap\n# why\n");
    assertThat(file.poll()).containsExactly("mode=swap", "# why");
    Files.delete(path);
    assertThat(file.poll()).isNull();
    write("mode=swap\n# why\n");
    assertThat(file.poll()).as("a new file").isNotNull();
  }

  /** Kubernetes mounts a ConfigMap this way: a change replaces the link to the directory. */
  @Test
  void aLinkIsFollowedAndItsChangeIsSeen() throws Exception {
    for (String version : new String[] {"1", "2"}) {
      Path data = Files.createDirectory(folder.resolve(version));
      Files.writeString(data.resolve("x.control"), "mode=off # " + version + '\n');
    }
    Path link = Files.createSymbolicLink(folder.resolve("..data"), Path.of("1"));
    Files.createSymbolicLink(path, Path.of("..data", "x.control"));
    assertThat(file.poll()).containsExactly("mode=off # 1");
    Path other = Files.createSymbolicLink(folder.resolve("..new"), Path.of("2"));
    Files.move(other, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    assertThat(file.poll()).containsExactly("mode=off # 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-rw-r--", "rw-r--rw-", "rwxrwxrwx"})
  void aFileThatOtherUsersCanWriteIsRefusedOnce(String permissions) throws Exception {
    write("mode=off");
    permit(permissions);
    assertThatThrownBy(file::poll).hasMessageContaining("chmod go-w");
    assertThat(file.poll()).isNull();
    permit("rw-r--r--");
    assertThat(file.poll()).as("repaired").containsExactly("mode=off");
  }

  @Test
  void aFileOfAnotherUserIsRefusedAndThatOfRootIsNot() throws Exception {
    assumeTrue(user == 0, "only root can give files away");
    ControlFile ofOther = new ControlFile(path, 12345);
    write("mode=off");
    assertThat(ofOther.poll()).as("root's").containsExactly("mode=off");
    Files.setAttribute(path, "unix:uid", 12345);
    assertThat(ofOther.poll()).as("the user's own").containsExactly("mode=off");
    Files.setAttribute(path, "unix:uid", 23456);
    assertThatThrownBy(ofOther::poll).hasMessage("owner: 23456 (expected: 12345 or root)");
  }

  /** Otherwise another user could choose which file of this user is read. */
  @Test
  void aLinkOfAnotherUserIsRefused() throws Exception {
    assumeTrue(user == 0, "only root can give files away");
    Path target = Files.writeString(folder.resolve("log"), "mode=off\n");
    Files.createSymbolicLink(path, target);
    Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setOwner(
            folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    assertThatThrownBy(file::poll).hasMessageContaining("owner: ");
  }

  @Test
  void aLinkToItselfIsRefusedOnce() throws Exception {
    Files.createSymbolicLink(path, path.getFileName());
    assertThatThrownBy(file::poll).isInstanceOf(IOException.class);
    assertThat(file.poll()).isNull();
    Files.delete(path);
    write("mode=off");
    assertThat(file.poll()).as("repaired").containsExactly("mode=off");
  }

  @Test
  void aPipeIsRefusedWithoutWaiting() throws Exception {
    assertThat(Tool.run(new ProcessBuilder("mkfifo", path.toString()), 10).status()).isZero();
    assertThatThrownBy(file::poll).hasMessageContaining("regular file");
  }

  @Test
  void aDirectoryIsRefused() throws Exception {
    Files.createDirectory(path);
    assertThatThrownBy(file::poll).hasMessageContaining("regular file");
  }

  @Test
  void aLargeFileIsRefused() throws Exception {
    write("#".repeat((16 << 10) + 1));
    assertThatThrownBy(file::poll).hasMessageContaining("16384");
  }
}
