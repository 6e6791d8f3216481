/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.testing.TestLength;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares every method of {@code AsciiString}, including static ones, with Netty 4.1's, on random
 * short texts of few different characters.
 */
@Tag("D4")
class AsciiStringDifferentialTest {
  private static final int CALLS = TestLength.choose(40_000, 200_000, 4_000_000);

  /**
   * Methods that are not compared: hashes can differ by library, and {@link AsciiStringTest} tests
   * the other methods.
   */
  private static final Set<String> NOT_COMPARED =
      Set.of("hashCode", "array", "arrayOffset", "arrayChanged", "equalsConstantTime", "trim");

  private static final String ALPHABET = "abAB,-1 7\u00e9\u00c9\u0000";

  private record Pair(Method theirs, Method ours) {}

  private record Outcome(String value, Throwable thrown) {
    boolean isLike(Outcome other) {
      return thrown == null
          ? value.equals(other.value) && other.thrown == null
          : other.thrown != null && kind(thrown) == kind(other.thrown);
    }

    private static Class<?> kind(Throwable thrown) {
      return thrown instanceof IndexOutOfBoundsException
          ? IndexOutOfBoundsException.class
          : thrown.getClass();
    }
  }

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** Returns the methods of a class and of its superclasses, which can be internal. */
  private static List<Method> declared(Class<?> type) {
    return Stream.<Class<?>>iterate(type, part -> part != Object.class, Class::getSuperclass)
        .flatMap(part -> Arrays.stream(part.getDeclaredMethods()))
        .toList();
  }

  private static List<Pair> methods() throws NoSuchMethodException {
    List<Pair> pairs = new ArrayList<>();
    for (Method ours : declared(AsciiString.class)) {
      if (ours.isBridge()
          || ours.isSynthetic()
          || Modifier.isAbstract(ours.getModifiers())
          || !Modifier.isPublic(ours.getModifiers())
          || NOT_COMPARED.contains(ours.getName())
          || Arrays.asList(ours.getParameterTypes()).contains(java.util.Collection.class)) {
        continue;
      }
      Class<?>[] types =
          Arrays.stream(ours.getParameterTypes())
              .map(type -> type == ByteProcessor.class ? io.netty.util.ByteProcessor.class : type)
              .toArray(Class<?>[]::new);
      pairs.add(new Pair(io.netty.util.AsciiString.class.getMethod(ours.getName(), types), ours));
    }
    pairs.sort(Comparator.comparing(pair -> pair.ours().toString()));
    return pairs;
  }

  @Test
  void everyMethodBehavesLikeNettys() throws Exception {
    System.out.println("seed " + seed);
    List<Pair> methods = methods();
    assertThat(methods).hasSizeGreaterThan(60);
    Map<Method, String> differences = new LinkedHashMap<>();
    for (int call = 0; call < CALLS; call++) {
      Pair pair = methods.get(random.nextInt(methods.size()));
      byte[] array = anyText().getBytes(StandardCharsets.ISO_8859_1);
      int start = random.nextInt(array.length + 1);
      int length = random.nextInt(array.length - start + 1);
      Object[] theirs = new Object[pair.ours().getParameterCount()];
      Object[] ours = new Object[theirs.length];
      for (int i = 0; i < theirs.length; i++) {
        fill(pair.ours().getParameterTypes()[i], theirs, ours, i);
      }
      io.netty.util.AsciiString theirText =
          new io.netty.util.AsciiString(array, start, length, false);
      if (isFaultOfTheirs(pair.ours(), theirText.toString(), ours)) {
        continue;
      }
      Outcome expected = call(pair.theirs(), theirText, theirs);
      Outcome actual = call(pair.ours(), new AsciiString(array, start, length, false), ours);
      if (!expected.isLike(actual)) {
        differences.putIfAbsent(
            pair.ours(),
            String.format(
                "call %d: \"%s\" with %s: theirs %s, ours %s",
                call, theirText, Arrays.deepToString(ours), expected, actual));
      }
    }
    assertThat(differences).as("seed " + seed).isEmpty();
  }

  /**
   * Returns whether Netty handles the call wrongly. Most of these calls have a range that Netty
   * does not check, or checks against surrounding bytes.
   */
  private static boolean isFaultOfTheirs(Method method, String text, Object[] given) {
    String name = method.getName();
    if (name.startsWith("contains") && given.length == 2) {
      return true; // misses a text whose beginning occurs right before it
    } else if (name.endsWith("erCase") && given.length == 0) {
      // Changes letters next to other bytes wrongly.
      return !text.chars().allMatch(c -> c < 0x80);
    }
    boolean isRange = (name.startsWith("parse") && given.length > 1) || name.equals("toByteArray");
    if (isRange && given.length > 1) {
      int start = (int) given[0];
      int end = (int) given[1];
      return start < 0 || start > end || end > text.length();
    } else if (name.equals("parseChar") && given.length == 1) {
      return (int) given[0] < 0;
    } else if (name.startsWith("indexOfIgnoreCase")) {
      return given[0] == null || (int) given[2] > ((CharSequence) given[0]).length();
    } else if (name.startsWith("regionMatches")) {
      return (int) given[given.length - 1] < 0; // true or false, depending on the kind of text
    }
    if (name.equals("copy")) {
      return (int) given[3] <= 0;
    }
    return (name.equals("toCharArray") || name.equals("toString"))
        && given.length == 2
        && given[0].equals(given[1]); // Netty does not check an empty range
  }

  private String anyText() {
    int length = random.nextInt(4) == 0 ? random.nextInt(30) : random.nextInt(5);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  private void fill(Class<?> type, Object[] theirs, Object[] ours, int i) {
    if (type == ByteProcessor.class) {
      byte stop = (byte) 'a';
      theirs[i] = (io.netty.util.ByteProcessor) value -> value != stop;
      ours[i] = (ByteProcessor) value -> value != stop;
    } else if (type == byte[].class || type == char[].class) {
      int length = random.nextInt(20);
      theirs[i] = Array.newInstance(type.getComponentType(), length);
      ours[i] = Array.newInstance(type.getComponentType(), length);
    } else if (CharSequence.class.isAssignableFrom(type) || type == Object.class) {
      String text = anyText();
      int kind = type == String.class ? 0 : random.nextInt(3);
      theirs[i] =
          kind == 0
              ? text
              : kind == 1 ? new io.netty.util.AsciiString(text) : CharBuffer.wrap(text);
      ours[i] = kind == 0 ? text : kind == 1 ? new AsciiString(text) : CharBuffer.wrap(text);
      if (type == String.class) {
        theirs[i] = ours[i] = ",";
      }
    } else {
      Object value = anyValue(type);
      theirs[i] = value;
      ours[i] = value;
    }
  }

  private Object anyValue(Class<?> type) {
    if (type == int.class) {
      return random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(-1, 12);
    } else if (type == char.class) {
      return random.nextInt(10) == 0
          ? '\u0100'
          : ALPHABET.charAt(random.nextInt(ALPHABET.length()));
    } else if (type == byte.class) {
      return (byte) random.nextInt();
    } else if (type == boolean.class) {
      return random.nextBoolean();
    }
    throw new AssertionError("no arguments of " + type);
  }

  private static Outcome call(Method method, Object target, Object[] arguments) throws Exception {
    try {
      Object value = method.invoke(target, arguments);
      StringBuilder after = new StringBuilder();
      for (Object argument : arguments) {
        if (argument.getClass().isArray()) {
          after.append(Arrays.deepToString(new Object[] {argument}));
        }
      }
      if (method.getName().equals("compareTo")) {
        value = Integer.signum((int) value);
      }
      return new Outcome(Arrays.deepToString(new Object[] {value}) + after, null);
    } catch (InvocationTargetException thrown) {
      return new Outcome("", thrown.getCause());
    }
  }
}
