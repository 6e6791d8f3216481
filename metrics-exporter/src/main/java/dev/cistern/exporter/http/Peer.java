/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The other end of a connection. Used by the connection's thread only. */
public final class Peer {
  /**
   * The addresses of clients on this machine. Service meshes use other addresses in 127.0.0.0/8.
   */
  private static final Set<String> LOCAL_ADDRESSES = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");

  /** Files in which Linux lists the sockets of the network namespace with their users. */
  private static final List<Path> SOCKETS =
      List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

  private static final Path STATUS = Path.of("/proc/self/status");

  // Columns of these files, counted from 0.
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int STATE = 3;
  private static final int USER = 7;

  /** The state of a socket that no longer belongs to a process. */
  private static final String TIME_WAIT = "06";

  /** Maximum number of reads, because a list that changes while it is read may lack a socket. */
  private static final int MAX_READS = 3;

  private static final int ROOT = 0;

  /**
   * Minimum ID of a person's account. Smaller IDs, except root, belong to services (login.defs,
   * {@code UID_MIN}).
   */
  private static final int MIN_PERSON = 1000;

  private static final int NOBODY = 65_534;

  private final InetAddress address;
  private final int port;
  private final int serverPort;

  /** Result of the first check; null before it. */
  private @Nullable Boolean isService;

  public Peer(Socket socket) {
    this.address = socket.getInetAddress();
    this.port = socket.getPort();
    this.serverPort = socket.getLocalPort();
  }

  InetAddress address() {
    return address;
  }

  /**
   * Returns whether the peer is on this machine and is not a service such as a proxy. A proxy does
   * not have to declare that it forwards a request, and nginx does not. But the process of a proxy
   * usually runs as a service user, which is not the user of this process.
   */
  boolean isLocal() {
    return LOCAL_ADDRESSES.contains(withoutScope(address.getHostAddress())) && !isService();
  }

  private static String withoutScope(String address) {
    int scope = address.indexOf('%');
    return scope < 0 ? address : address.substring(0, scope);
  }

  private boolean isService() {
    Boolean known = isService;
    if (known == null) {
      known = findsService();
      isService = known;
    }
    return known;
  }

  /**
   * Returns whether a service user owns the peer's socket; false if the system does not list the
   * users of sockets.
   */
  private boolean findsService() {
    try {
      int ownUser = ownUser();
      List<Integer> users = List.of();
      for (int reads = 0; reads < MAX_READS && users.isEmpty(); reads++) {
        users = usersOfPeer();
      }
      boolean isKnown = !users.isEmpty() || !Files.exists(SOCKETS.get(0));
      return !isKnown || !users.stream().allMatch(user -> user == ownUser || isPerson(user));
    } catch (IOException | RuntimeException unknownSystem) {
      return false;
    }
  }

  /** Returns the users of all sockets that have the ports of the peer, at any address. */
  private List<Integer> usersOfPeer() throws IOException {
    List<Integer> users = new ArrayList<>();
    String local = suffix(port);
    String remote = suffix(serverPort);
    for (Path sockets : SOCKETS) {
      try (BufferedReader lines = Files.newBufferedReader(sockets, StandardCharsets.US_ASCII)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          int user = userOfPeer(line, local, remote);
          if (user >= 0) {
            users.add(user);
          }
        }
      } catch (NoSuchFileException noIpv6) {
        // The other file may exist.
      }
    }
    return users;
  }

  /** Returns the end of an address that has this port. */
  static String suffix(int port) {
    return String.format(Locale.ROOT, ":%04X", port);
  }

  /**
   * Returns the user of the socket in a line of {@code /proc/net/tcp}; -1 if the socket has other
   * ports.
   */
  static int userOfPeer(String line, String local, String remote) {
    if (!line.contains(local)) {
      return -1; // nearly all lines
    }
    String[] columns = line.strip().split(" +", -1);
    boolean isPeer =
        columns.length > USER
            && !columns[STATE].equals(TIME_WAIT)
            && columns[LOCAL].endsWith(local)
            && columns[REMOTE].endsWith(remote);
    return isPeer ? Integer.parseUnsignedInt(columns[USER]) : -1;
  }

  static boolean isPerson(int user) {
    return user == ROOT || (user >= MIN_PERSON && user != NOBODY);
  }

  /** Returns the effective user ID of this process, the second number in the line. */
  private static int ownUser() throws IOException {
    for (String line : Files.readAllLines(STATUS, StandardCharsets.ISO_8859_1)) {
      if (line.startsWith("Uid:")) {
        return Integer.parseUnsignedInt(line.split("\\s+", -1)[2]);
      }
    }
    throw new IOException(STATUS + " names no user");
  }
}
