/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.JMRuntimeException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The filter for responses of another JVM. {@code CommandsIT} tests it with the agent's responses.
 */
class RemoteAgentTest {
  private static Object received(Serializable sent) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sent);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(RemoteAgent.RESPONSES);
      return in.readObject();
    }
  }

  static List<Serializable> answers() throws Exception {
    return List.of(
        "text",
        new ObjectName("dev.cistern:type=Agent"),
        new RuntimeMBeanException(new IllegalArgumentException("refused")),
        new JMRuntimeException("refused"),
        new ArrayList<>(List.of("a", 1)));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswerOfTheAgentIsRead(Serializable answer) throws Exception {
    assertThat(received(answer)).hasToString(answer.toString());
  }

  private record OfAnotherLibrary(String text) implements Serializable {}

  static List<Serializable> attacks() {
    ArrayList<Object> deep = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      deep = new ArrayList<>(List.of(deep));
    }
    return List.of(
        new HashMap<>(Map.of("hash", "collisions")),
        new BigDecimal("1e9"),
        new OfAnotherLibrary("gadget"),
        new ArrayList<>(List.of(new OfAnotherLibrary("inside"))),
        deep,
        new byte[1 << 20]);
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void anotherAnswerIsRefused(Serializable answer) {
    assertThatThrownBy(() -> received(answer))
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("REJECTED");
  }
}
