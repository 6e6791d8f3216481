/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.log.Log;
import dev.cistern.agent.weave.ArenaCalls;
import dev.cistern.agent.weave.DiscoveredAllocator;
import dev.cistern.stats.AllocatorInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds allocators of other libraries that extend Netty's and take memory from its arenas directly,
 * as Apache Arrow's does. Their buffers are observed if each such call can be instrumented, and
 * bypass Cistern otherwise. The inventory and the log say so. The agent's thread only.
 */
final class BypassCheck {
  /** Classes that are not checked yet, because their copy has not allocated a buffer. */
  private final List<DiscoveredAllocator> pending = new ArrayList<>();

  void add(DiscoveredAllocator allocator) {
    pending.removeIf(each -> each.loader() == null);
    pending.add(allocator);
  }

  /**
   * Checks the classes of a copy that has allocated a buffer: they are loaded by then.
   *
   * @return whether there is a new one that bypasses or is to be observed
   */
  boolean look(NettyCopy copy) {
    ClassLoader loader = copy.loader();
    if (loader == null || !copy.hasAllocated() || copy.mode().equals(Mode.OFF)) {
      return false;
    }
    boolean isNew = false;
    for (int i = pending.size() - 1; i >= 0; i--) {
      DiscoveredAllocator allocator = pending.get(i);
      ClassLoader definedBy = allocator.loader();
      boolean isOfCopy = definedBy == loader && allocator.prefix().equals(copy.prefix());
      if (isOfCopy) {
        pending.remove(i);
        isNew |= look(copy, loader, allocator.className());
      }
    }
    return isNew;
  }

  private static boolean look(NettyCopy copy, ClassLoader loader, String className) {
    Class<?> type = HostClasses.find(className.replace('/', '.'), loader);
    if (type == null || !extendsAllocator(type, copy)) {
      return false;
    }
    byte[] classFile = new LoaderFiles(loader).apply(className);
    try {
      return classFile != null
          && add(copy, type.getName(), ArenaCalls.of(classFile, copy.prefix()));
    } catch (RuntimeException unreadable) {
      return false; // the class file may be encrypted
    }
  }

  private static boolean add(NettyCopy copy, String type, ArenaCalls calls) {
    boolean isObserved = calls.isObservable() && copy.observationRefusal() == null;
    String how =
        "takes memory from Netty's arenas by its own "
            + String.join(", ", calls.methods())
            + ": these buffers are "
            + (isObserved ? "observed, not served" : "neither served nor observed");
    String service = isObserved ? AllocatorInfo.OBSERVED : AllocatorInfo.BYPASSED;
    // the scan also finds classes that were just loaded
    boolean isNew = !calls.methods().isEmpty() && copy.addForeign(type, service, how);
    if (isNew) {
      Log.line(copy + ": " + type + ' ' + how);
    }
    return isNew;
  }

  private static boolean extendsAllocator(Class<?> type, NettyCopy copy) {
    for (Class<?> parent = type.getSuperclass(); parent != null; parent = parent.getSuperclass()) {
      if (copy.allocators().contains(parent.getName())) {
        return true;
      }
    }
    return false;
  }
}
