/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cistern.agent.config.BadSettingException;
import dev.cistern.agent.config.ConfigReader;
import dev.cistern.agent.config.CopyPattern;
import dev.cistern.agent.config.Mode;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The agent's thread in this JVM, with an instrumentation that records. */
class NettyCopyManagerTest {
  private static final String ALLOCATOR = "io/netty/buffer/PooledByteBufAllocator";
  private static final ModeCommand OFF =
      new ModeCommand(Mode.OFF, CopyPattern.ALL, ModeSource.JMX, true);

  private final List<ClassFileTransformer> transformers = new CopyOnWriteArrayList<>();
  private final List<NettyCopy> copies = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger carriedOut = new AtomicInteger();
  private final NettyCopyManager manager;

  NettyCopyManagerTest() throws BadSettingException {
    manager =
        new NettyCopyManager(
            new ConfigReader().read("mode=off"),
            (Instrumentation)
                Proxy.newProxyInstance(
                    NettyCopyManagerTest.class.getClassLoader(),
                    new Class<?>[] {Instrumentation.class},
                    (proxy, method, arguments) -> instrument(method.getName(), arguments)),
            name -> null,
            copies,
            new NoCommands(),
            new Listener());
  }

  private Object instrument(String method, Object[] arguments) {
    return switch (method) {
      case "addTransformer" -> transformers.add((ClassFileTransformer) arguments[0]);
      case "removeTransformer" -> transformers.remove((ClassFileTransformer) arguments[0]);
      case "getAllLoadedClasses", "getInitiatedClasses" -> new Class<?>[0];
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private final class NoCommands implements CommandSource {
    @Override
    public List<ModeCommand> poll() {
      return List.of();
    }

    @Override
    public void carriedOut(ModeCommand command) {
      carriedOut.incrementAndGet();
    }

    @Override
    public void refuse(String reason) {
      throw new AssertionError(reason);
    }
  }

  private final class Listener implements AgentListener {
    @Override
    public String endpoint() {
      return "none";
    }

    @Override
    public void onModeChange(NettyCopy copy) {}

    @Override
    public void onThreadFailure() {
      failures.incrementAndGet();
    }

    @Override
    public void onTick(boolean hasNewLeaks, boolean isExhausted) {}

    @Override
    public void onDetach() {}
  }

  /** A loader that claims to have a copy of Netty. */
  private static ClassLoader loader(Throwable thrown) {
    return new ClassLoader(null) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (thrown instanceof Error error) {
          throw error;
        }
        if (thrown instanceof RuntimeException unchecked) {
          throw unchecked;
        }
        throw new ClassNotFoundException(name);
      }
    };
  }

  private void load(ClassLoader loader) throws Exception {
    byte[] unused = transformers.get(0).transform(loader, ALLOCATOR, null, null, new byte[0]);
  }

  @AfterEach
  void detach() throws Exception {
    manager.detach();
    await().until(() -> manager.isDetached() || manager.awaitDetach().isEmpty());
  }

  /** Each loader is that of another application. */
  @Test
  void aLoaderThatThrowsLosesNoCopy() throws Exception {
    manager.start();
    ClassLoader missing = loader(new ClassNotFoundException("none"));
    ClassLoader broken = loader(new IllegalStateException("broken"));
    ClassLoader fatal = loader(new AssertionError("fatal"));
    load(missing);
    load(fatal);
    load(broken);
    await()
        .untilAsserted(
            () -> assertThat(loaders()).containsExactlyInAnyOrder(missing, broken, fatal));
    assertThat(failures).hasValue(0);
  }

  private List<ClassLoader> loaders() {
    return copies.stream().map(NettyCopy::loader).toList();
  }

  @Test
  void aCommandIsCarriedOutOrRefusedWhileTheAgentLeaves() throws Exception {
    manager.start();
    manager.changeSoon(OFF).get(10, TimeUnit.SECONDS);
    manager.detach();
    List<CompletableFuture<Boolean>> commands = new ArrayList<>();
    await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(30))
        .until(() -> commands.add(manager.changeSoon(OFF)) && manager.isDetached());
    assertThat(manager.awaitDetach()).isEmpty(); // its thread has ended
    commands.add(manager.changeSoon(OFF));
    for (CompletableFuture<Boolean> each : commands) {
      Object unused = each.handle((done, refused) -> true).get(10, TimeUnit.SECONDS);
    }
    assertThat(carriedOut.get()).isPositive();
    assertThatThrownBy(commands.get(commands.size() - 1)::get)
        .hasMessageContaining("the agent is leaving this JVM");
  }

  @Test
  void aStartThatFailsLeavesNoTransformer() throws Exception {
    manager.start();
    assertThat(transformers).hasSize(1);
    detach();
    assertThat(transformers).isEmpty();
    assertThatThrownBy(manager::start).isInstanceOf(IllegalThreadStateException.class);
    assertThat(transformers).isEmpty();
  }
}
