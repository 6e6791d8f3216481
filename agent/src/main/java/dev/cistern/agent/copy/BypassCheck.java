/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import dev.cistern.agent.Log;
import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.ArenaCalls;
import dev.cistern.agent.weave.Sighting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds allocators of other libraries that extend Netty's and take memory from its arenas by
 * methods of their own, as Apache Arrow's does. Their buffers are neither served nor observed,
 * which the inventory, the log and a metric say. For the agent's thread.
 */
final class BypassCheck {
  /** Classes that are not looked at yet: theirs is a copy that has made no buffer. */
  private final List<Sighting> pending = new ArrayList<>();

  void add(Sighting sighting) {
    pending.removeIf(each -> each.loader() == null);
    pending.add(sighting);
  }

  /** Looks at classes of a copy, which has made a buffer: they are loaded by then. */
  void look(NettyCopy copy, ClassLoader loader) {
    if (copy.mode().equals(Mode.OFF)) {
      return;
    }
    for (int i = pending.size() - 1; i >= 0; i--) {
      Sighting sighting = pending.get(i);
      ClassLoader definedBy = sighting.loader();
      boolean isOfCopy = definedBy == loader && sighting.prefix().equals(copy.prefix());
      if (isOfCopy) {
        pending.remove(i);
        look(copy, loader, sighting.className());
      }
    }
  }

  private static void look(NettyCopy copy, ClassLoader loader, String className) {
    try {
      Class<?> type = Class.forName(className.replace('/', '.'), false, loader);
      byte[] classFile =
          extendsAllocator(type, copy) ? new LoaderFiles(loader).apply(className) : null;
      Set<String> methods = classFile == null ? Set.of() : ArenaCalls.of(classFile, copy.prefix());
      if (!methods.isEmpty()) {
        String how =
            type.getName()
                + " takes memory from Netty's arenas by its own "
                + String.join(", ", methods)
                + ": these buffers are neither served nor observed";
        if (!copy.bypasses().contains(how)) { // the scan also sights what was just loaded
          Log.line(copy + ": " + how);
          copy.bypassed(how);
        }
      }
    } catch (ClassNotFoundException | LinkageError broken) {
      // No instance of it can be made.
    }
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
