/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * The generator of the list that {@link CompatibilityCheck} reads: the classes and members of Netty
 * that the bridge refers to. The build runs it; it is not in the agent's jar.
 *
 * <p>It reads the class files of the hooks and of all classes that the bridge refers to. The list
 * does not contain members that the bridge finds by reflection: they are optional.
 */
final class BridgeMembers {
  private static final String NETTY = "io/netty/";
  private static final String NETTY42 = "dev/cistern/netty42/";
  private static final String OWN = "dev/cistern/(bridge|netty/pool)/.*|io/netty/.*/Cistern\\w+";

  /** Classes from which the search follows references. */
  private static final String[] ROOTS = {
    "dev/cistern/bridge/Bridge",
    "dev/cistern/bridge/channel/ChannelWatch",
    "io/netty/buffer/CisternEvents",
    "io/netty/buffer/CisternHolders",
    "io/netty/buffer/CisternHook",
    "io/netty/buffer/CisternMemoryMetrics",
    "io/netty/buffer/CisternObserver",
    "io/netty/channel/CisternChannels",
    "io/netty/util/internal/CisternMemory",
  };

  /** Classes that only observe Netty's own buffers. */
  private static final String OBSERVING =
      "io/netty/buffer/CisternObserver"
          + "|dev/cistern/bridge/(ChunkResidency|HostDirectMemory|NettyObserver|Observation"
          + "|ObservedAllocators|SampledBuffers).*";

  /** Classes that only show the holders of buffers. */
  private static final String HOLDING =
      "io/netty/buffer/CisternHolders|dev/cistern/bridge/HolderObserver";

  /** Classes that only watch channels. */
  private static final String WATCHING =
      "io/netty/channel/CisternChannels|dev/cistern/bridge/channel/.*";

  /** Class that nothing depends on: if Netty's codec differs, its counters are 0. */
  private static final String HTTP2 = "dev/cistern/bridge/channel/Http2Counters.*";

  /** Class that only the recording of accesses needs. */
  private static final String LEAK_AWARE = "io/netty/buffer/CisternLeakAwareByteBuf";

  /**
   * Members that a copy may lack: the first two are called on 4.1 only, and the caller of the third
   * expects its absence, as in early 4.1.
   */
  private static final String OPTIONAL =
      "(allocate|free)DirectNoCleaner .*|registeredChannelsIterator .*";

  private static final int CLASS_TAG = 7;

  /** Entries of the constant pool that refer to a member (JVMS, 4.4). */
  private static final Set<Integer> MEMBER_TAGS = Set.of(9, 10, 11);

  private final ClassHierarchy classes = new ClassHierarchy("", BridgeMembers::read);
  private final Deque<String> pending = new ArrayDeque<>(Arrays.asList(ROOTS));
  private final Set<String> seen = new TreeSet<>(pending);

  /** Each requirement and its group. */
  private final Map<String, String> groups = new TreeMap<>();

  private BridgeMembers() {}

  /** Writes the list to the file that the only argument names. */
  public static void main(String[] arguments) throws IOException {
    BridgeMembers members = new BridgeMembers();
    while (!members.pending.isEmpty()) {
      members.addClass(members.pending.remove());
    }
    Set<String> lines = new TreeSet<>();
    members.groups.forEach((requirement, group) -> lines.add(group + ' ' + requirement));
    Files.writeString(Path.of(arguments[0]), String.join("\n", lines));
  }

  /** Returns a class file of Cistern or Netty 4.1, or the substitute for a class of 4.2. */
  private static byte @Nullable [] read(String name) {
    ClassLoader loader = BridgeMembers.class.getClassLoader();
    for (String file : new String[] {name, name.replace(NETTY + "buffer/", NETTY42)}) {
      try (InputStream in = loader.getResourceAsStream(file + ".class")) {
        if (in != null) {
          return new ClassRenamer().rename(NETTY42, NETTY + "buffer/").apply(in.readAllBytes());
        }
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
    return null;
  }

  private void addClass(String user) {
    addInherited(user);
    ClassReader reader = new ClassReader(Objects.requireNonNull(read(user), user));
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int item = 1; item < reader.getItemCount(); item++) {
      int at = reader.getItem(item);
      int tag = at == 0 ? 0 : reader.readByte(at - 1);
      if (tag == CLASS_TAG) {
        addUse(user, reader.readUTF8(at, buffer));
      } else if (MEMBER_TAGS.contains(tag)) {
        int named = reader.getItem(reader.readUnsignedShort(at + 2));
        String member = reader.readUTF8(named, buffer) + ' ' + reader.readUTF8(named + 2, buffer);
        addMember(user, reader.readClass(at, buffer), member);
      }
    }
  }

  private void addUse(String user, String used) {
    if (isNetty(used)) {
      add(user, used, isSamePackage(user, used) ? "package" : "public", "");
    } else if (used.matches(OWN) && !used.matches(HTTP2) && seen.add(used)) {
      pending.add(used);
    }
  }

  private void addMember(String user, String owner, String member) {
    ClassShape declaring =
        owner.matches(OWN) || isNetty(owner) ? classes.declaring(owner, member) : null;
    if (declaring == null || !isNetty(declaring.name) || member.matches(OPTIONAL)) {
      return;
    }
    boolean isInherited = classes.isSubclass(user, declaring.name);
    String access =
        isSamePackage(user, declaring.name) ? "package" : isInherited ? "protected" : "public";
    add(user, isNetty(owner) ? owner : declaring.name, access, member);
  }

  /** Adds the superclasses of a class of Cistern, and the methods that it implements. */
  private void addInherited(String user) {
    boolean isAbstract = (shape(user).access() & Opcodes.ACC_ABSTRACT) != 0;
    Set<String> methods = new TreeSet<>();
    for (String name = user; name != null && name.matches(OWN); name = shape(name).superName()) {
      methods.addAll(shape(name).methods(false));
      for (String parent : shape(name).parents()) {
        if (isNetty(parent)) {
          addSuperclasses(user, parent);
          if (!isAbstract) {
            add(user, parent, "implements", String.join(",", methods));
          }
        }
      }
    }
  }

  private void addSuperclasses(String user, String name) {
    String parent = shape(name).superName();
    if (parent != null && !parent.equals("java/lang/Object")) {
      add(user, name, "extends", parent);
      if (isNetty(parent)) {
        addSuperclasses(user, parent);
      }
    }
  }

  private ClassShape shape(String name) {
    return Objects.requireNonNull(classes.shape(name), name);
  }

  private void add(String user, String owner, String access, String rest) {
    String group = group(user, owner, rest);
    groups.merge((access + ' ' + owner + ' ' + rest).trim(), group, BridgeMembers::merge);
    if (group.equals(CompatibilityCheck.EVENTS) && rest.isEmpty()) {
      addSuperclasses(user, owner);
    }
  }

  /** Returns the group of a reference from classes of two groups. */
  private static String merge(String group, String other) {
    return group.equals(other) ? group : CompatibilityCheck.REQUIRED;
  }

  private static String group(String user, String owner, String member) {
    if (member.equals("resetRefCnt ()V")) {
      return CompatibilityCheck.RESET_COUNT;
    }
    if (user.equals(LEAK_AWARE)
        || owner.matches(".*/((Simple|Advanced)LeakAwareByteBuf|ResourceLeakTracker)")) {
      return CompatibilityCheck.LEAK_AWARE;
    }
    if (owner.endsWith("Event")) {
      return CompatibilityCheck.EVENTS;
    }
    if (user.matches(HOLDING)) {
      return CompatibilityCheck.HOLDERS;
    }
    if (user.matches(WATCHING)) {
      return CompatibilityCheck.CHANNELS;
    }
    return user.matches(OBSERVING) ? CompatibilityCheck.OBSERVATION : CompatibilityCheck.REQUIRED;
  }

  private static boolean isNetty(String name) {
    return name.startsWith(NETTY) && !name.matches(OWN);
  }

  private static boolean isSamePackage(String name, String other) {
    int end = name.lastIndexOf('/');
    return end == other.lastIndexOf('/') && name.startsWith(other.substring(0, end));
  }
}
