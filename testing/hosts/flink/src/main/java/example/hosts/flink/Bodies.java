/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.flink;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Keeps the parts of a body as state until all have arrived. */
final class Bodies extends KeyedProcessFunction<Long, Part, Long> {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("NullAway.Init") // set by open, which runs first
  private transient MapState<Integer, Part> arrived;

  @Override
  public void open(OpenContext context) {
    arrived =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("arrived", Integer.class, Part.class));
  }

  @Override
  public void processElement(Part part, Context context, Collector<Long> out) throws Exception {
    arrived.put(part.number, part);
    TreeMap<Integer, byte[]> parts = new TreeMap<>();
    for (Part each : arrived.values()) {
      parts.put(each.number, each.bytes);
    }
    if (parts.size() == part.parts) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      parts.values().forEach(body::writeBytes);
      arrived.clear();
      Objects.requireNonNull(FlinkHost.BODIES.remove(part.body)).complete(body.toByteArray());
      out.collect(part.body);
    }
  }
}
