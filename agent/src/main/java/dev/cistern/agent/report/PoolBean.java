/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.report;

import dev.cistern.agent.netty.NettyCopy;
import dev.cistern.bridge.api.NettyBridge;
import dev.cistern.stats.PoolSnapshot;
import dev.cistern.stats.UsageBand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;

/**
 * A pool of one copy of Netty. Attributes that are read together belong to one snapshot.
 *
 * @param memory {@code direct} or {@code heap}
 */
record PoolBean(NettyCopy copy, String memory) implements DynamicMBean {
  /** Returns the attributes; only mode, state and reason if the copy has no bridge. */
  private Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("Mode", copy.mode().toString());
    values.put("State", copy.state().name().toLowerCase(Locale.ROOT));
    values.put("Reason", copy.reason());
    NettyBridge bridge = copy.bridge();
    for (PoolSnapshot pool : bridge == null ? List.<PoolSnapshot>of() : bridge.pools()) {
      if (pool.memory().equals(memory)) {
        addFigures(values, pool);
      }
    }
    return values;
  }

  private static void addFigures(Map<String, Object> values, PoolSnapshot pool) {
    long chunks = 0;
    for (UsageBand band : UsageBand.values()) {
      chunks += pool.chunks(band);
    }
    values.put("ReservedBytes", pool.reservedBytes());
    values.put("PinnedBytes", pool.pinnedBytes());
    values.put("CachedBytes", pool.cachedBytes());
    values.put("FreeBytes", pool.freeBytes());
    values.put("UsedBytes", pool.usedBytes());
    values.put("LimitBytes", pool.limitBytes() == Long.MAX_VALUE ? -1 : pool.limitBytes());
    values.put("Allocations", pool.allocations());
    values.put("Releases", pool.deallocations());
    values.put("Exhaustions", pool.failedAllocations());
    values.put("Chunks", chunks);
    values.put("ThreadCaches", pool.threadCaches());
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    Map<String, Object> values = values();
    MBeanAttributeInfo[] attributes = new MBeanAttributeInfo[values.size()];
    int next = 0;
    for (Map.Entry<String, Object> value : values.entrySet()) {
      String type = value.getValue().getClass().getName();
      attributes[next++] =
          new MBeanAttributeInfo(value.getKey(), type, value.getKey(), true, false, false);
    }
    return new MBeanInfo(
        PoolBean.class.getName(), "A pool of " + copy, attributes, null, null, null);
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Object value = values().get(name);
    if (value == null) {
      throw new AttributeNotFoundException(name);
    }
    return value;
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    Map<String, Object> values = values();
    AttributeList found = new AttributeList();
    for (String name : names) {
      if (values.containsKey(name)) {
        found.add(new Attribute(name, values.get(name)));
      }
    }
    return found;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + ": cannot be changed");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String operation, Object[] parameters, String[] signature)
      throws ReflectionException {
    throw new ReflectionException(new NoSuchMethodException(operation));
  }
}
