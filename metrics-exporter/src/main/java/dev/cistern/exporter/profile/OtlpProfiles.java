/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter.profile;

import dev.cistern.exporter.report.CopyView;
import dev.cistern.exporter.report.HostView;
import dev.cistern.exporter.schema.ProtoMessage;
import dev.cistern.leak.report.LiveStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The live profile of a host in OpenTelemetry's profiles signal, with one profile for each value
 * and one dictionary for all. The field numbers are those of opentelemetry-proto {@value #VERSION},
 * {@code opentelemetry/proto/profiles/v1development/profiles.proto}.
 */
public final class OtlpProfiles {
  /** The version of opentelemetry-proto whose profiles are written. */
  public static final String VERSION = "1.11.0";

  /**
   * The version of the profiles format, which a receiver checks before it reads a request. It
   * changes with each incompatible change of the format.
   */
  public static final String DEVELOPMENT_VERSION = "1";

  private static final int PROFILE_ID_BYTES = 16;
  private static final int TRACE_ID_BYTES = 16;
  private static final int SPAN_ID_BYTES = 8;

  /** The values that are pushed. Readers show the first profile. */
  private static final List<ProfileValue> IN_USE =
      List.of(ProfileValue.INUSE_SPACE, ProfileValue.INUSE_OBJECTS);

  /** The tables of the dictionary. The first entry of each means "not set". */
  private final Map<String, Integer> strings = new LinkedHashMap<>();

  private final Table<Frame> functions = new Table<>();
  private final Table<String> locations = new Table<>();
  private final Table<List<Integer>> stacks = new Table<>();
  private final Table<Attribute> attributes = new Table<>();

  /** An attribute with a text as its value. */
  private record Attribute(String key, String value) {}

  /**
   * The identity of a sample, as indices of the dictionary. Live stacks that differ only before
   * their site have the same identity, and become one sample.
   */
  private record Place(int stack, List<Integer> attributes) {}

  /** A table of dictionary messages by their content; index 0 is an empty message. */
  private static final class Table<K> {
    private final Map<K, Integer> indices = new LinkedHashMap<>();
    private final List<byte[]> messages = new ArrayList<>(List.of(new byte[0]));

    int index(K key, Maker message) {
      Integer known = indices.putIfAbsent(key, messages.size());
      if (known != null) {
        return known;
      }
      messages.add(message.make().encode());
      return messages.size() - 1;
    }

    void addTo(ProtoMessage dictionary, int field) {
      for (byte[] message : messages) {
        dictionary.bytes(field, message);
      }
    }
  }

  /** Makes a message that is not in a table yet. */
  @FunctionalInterface
  private interface Maker {
    ProtoMessage make();
  }

  private final boolean isOther;

  private OtlpProfiles(boolean isOther) {
    this.isOther = isOther;
    string("");
  }

  /**
   * Returns {@code ExportProfilesServiceRequest}.
   *
   * @param report a report with the frames of its stacks
   * @param isOther whether the host is another process than this one; then the profile has its ID
   */
  public static byte[] encode(HostView report, boolean isOther) {
    return new OtlpProfiles(isOther).encode(report);
  }

  private byte[] encode(HostView report) {
    ProtoMessage resource = resource(report);
    return new ProtoMessage().message(1, resource).message(2, dictionary()).encode();
  }

  private ProtoMessage resource(HostView report) {
    ProtoMessage resource = new ProtoMessage();
    addKeyValue(resource, "service.name", report.service());
    addKeyValue(resource, "service.instance.id", isOther ? report.id() : "");
    addKeyValue(resource, "k8s.pod.name", report.pod());
    addKeyValue(resource, "k8s.container.name", report.container());
    return new ProtoMessage().message(1, resource).message(2, scope(report));
  }

  /** Adds an attribute unless its value is empty. */
  private static void addKeyValue(ProtoMessage resource, String key, String value) {
    if (!value.isEmpty()) {
      resource.message(1, new ProtoMessage().text(1, key).message(2, any(value)));
    }
  }

  private static ProtoMessage any(String value) {
    return new ProtoMessage().text(1, value);
  }

  private ProtoMessage scope(HostView report) {
    Map<Place, long[]> samples = new LinkedHashMap<>();
    long timeMillis = 0;
    long intervalBytes = 0;
    for (CopyView copy : report.copies()) {
      timeMillis = Math.max(timeMillis, copy.live().timeMillis());
      intervalBytes = Math.max(intervalBytes, copy.live().intervalBytes());
      for (LiveStack stack : copy.live().stacks()) {
        long[] sums =
            samples.computeIfAbsent(
                place(copy.pool(), stack), place -> new long[ProfileValue.values().length]);
        sums[ProfileValue.INUSE_OBJECTS.ordinal()] += Math.round(stack.live().buffers());
        sums[ProfileValue.INUSE_SPACE.ordinal()] += Math.round(stack.live().bytes());
      }
    }
    ProtoMessage name = new ProtoMessage().text(1, "dev.cistern").text(2, report.version());
    ProtoMessage scope = new ProtoMessage().message(1, name);
    for (ProfileValue value : IN_USE) {
      ProtoMessage profile = new ProtoMessage().message(1, type(value.type(), value.unit()));
      for (Map.Entry<Place, long[]> sample : samples.entrySet()) {
        profile.message(2, sample(sample.getKey(), sample.getValue()[value.ordinal()]));
      }
      profile.fixed(3, TimeUnit.MILLISECONDS.toNanos(timeMillis));
      profile.message(5, type("space", "bytes")).number(6, intervalBytes);
      scope.message(2, profile.bytes(7, randomId()));
    }
    return scope;
  }

  private ProtoMessage type(String name, String unit) {
    return new ProtoMessage().number(1, string(name)).number(2, string(unit));
  }

  private static ProtoMessage sample(Place place, long value) {
    ProtoMessage attributes = packed(place.attributes());
    ProtoMessage sample = new ProtoMessage().number(1, place.stack()).message(2, attributes);
    return sample.message(4, new ProtoMessage().packed(value));
  }

  private Place place(String pool, LiveStack stack) {
    List<Integer> indices = new ArrayList<>();
    for (String frame : HeapProfile.frames(stack.stack(), false)) {
      indices.add(location(frame));
    }
    return new Place(
        stacks.index(indices, () -> new ProtoMessage().message(1, packed(indices))),
        List.of(attribute("pool", pool), attribute("memory", stack.memory())));
  }

  private int location(String text) {
    return locations.index(text, () -> location(Frame.parse(text)));
  }

  private ProtoMessage location(Frame frame) {
    ProtoMessage line = new ProtoMessage().number(1, function(frame)).number(2, frame.line());
    ProtoMessage attributes = new ProtoMessage().packed(attribute("profile.frame.type", "jvm"));
    return new ProtoMessage().message(3, line).message(4, attributes);
  }

  private int function(Frame frame) {
    int name = string(frame.function());
    return functions.index(
        new Frame(frame.function(), frame.file(), 0),
        () -> new ProtoMessage().number(1, name).number(2, name).number(3, string(frame.file())));
  }

  private int attribute(String key, String value) {
    return attributes.index(
        new Attribute(key, value),
        () -> new ProtoMessage().number(1, string(key)).message(2, any(value)));
  }

  private int string(String text) {
    Integer known = strings.putIfAbsent(text, strings.size());
    return known == null ? strings.size() - 1 : known;
  }

  private ProtoMessage dictionary() {
    ProtoMessage dictionary = new ProtoMessage().bytes(1, new byte[0]); // no mappings
    locations.addTo(dictionary, 2);
    functions.addTo(dictionary, 3);
    ProtoMessage noLink = new ProtoMessage().bytes(1, new byte[TRACE_ID_BYTES]);
    dictionary.message(4, noLink.bytes(2, new byte[SPAN_ID_BYTES]));
    for (String text : strings.keySet()) {
      dictionary.text(5, text);
    }
    attributes.addTo(dictionary, 6);
    stacks.addTo(dictionary, 7);
    return dictionary;
  }

  private static ProtoMessage packed(List<Integer> numbers) {
    ProtoMessage packed = new ProtoMessage();
    for (int number : numbers) {
      packed.packed(number);
    }
    return packed;
  }

  /** Returns a random ID. It must be unique but not secret, so it uses no entropy of the system. */
  private static byte[] randomId() {
    byte[] id = new byte[PROFILE_ID_BYTES];
    ThreadLocalRandom.current().nextBytes(id);
    return id;
  }
}
