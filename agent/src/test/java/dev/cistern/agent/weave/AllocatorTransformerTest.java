/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorTransformerTest {
  private static final Class<?> POOLED = PooledByteBufAllocator.class;
  private static final Class<?> UNPOOLED = UnpooledByteBufAllocator.class;
  private static final Class<?> BUFFER = pooledBuffer();

  private static Class<?> pooledBuffer() {
    try {
      return Class.forName("io.netty.buffer.PooledByteBuf");
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private final AtomicInteger wakes = new AtomicInteger();
  private final AllocatorTransformer transformer = new AllocatorTransformer(wakes::incrementAndGet);
  private final ClassLoader loader = AllocatorTransformerTest.class.getClassLoader();

  private byte[] sees(ClassLoader definedBy, String className) {
    return transformer.transform(definedBy, className, null, null, new byte[] {1});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBufAllocator",
        "io/netty/buffer/AdaptiveByteBufAllocator",
        "io/grpc/netty/shaded/io/netty/buffer/PooledByteBufAllocator",
        "a/b/shaded/c/shaded/io/netty/buffer/AdaptiveByteBufAllocator",
      })
  void anAllocatorIsNotedAndLeftAsItIs(String className) {
    assertThat(sees(loader, className)).isNull();
    assertThat(wakes).hasValue(1);
    DiscoveredAllocator allocator = transformer.take();
    assertThat(allocator.className()).isEqualTo(className);
    assertThat(allocator.prefix() + "/buffer/")
        .isEqualTo(className.substring(0, className.lastIndexOf('/') + 1));
    assertThat(allocator.loader()).isSameAs(loader);
    assertThat(allocator.next()).isNull();
    assertThat(transformer.take()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/UnpooledByteBufAllocator",
        "io/netty/buffer/MyPooledByteBufAllocator",
        "io/netty/buffer/PooledByteBufAllocatorL$InnerAllocator",
      })
  void anAllocatorInNettysPackageIsNotedWithoutWakingTheAgent(String className) {
    assertThat(sees(loader, className)).isNull();
    DiscoveredAllocator allocator = transformer.take();
    assertThat(allocator.className()).isEqualTo(className);
    assertThat(allocator.prefix()).isEqualTo("io/netty");
    assertThat(allocator.isNettys()).isFalse();
    assertThat(wakes).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io/netty/buffer/PooledByteBuf",
        "PooledByteBufAllocator",
        "java/lang/String",
      })
  void aClassOfAnyOtherNameIsNotNoted(String className) {
    assertThat(sees(loader, className)).isNull();
    assertThat(transformer.take()).isNull();
    assertThat(wakes).hasValue(0);
  }

  @Test
  void aHiddenClassHasNoName() {
    assertThat(sees(loader, null)).isNull();
    assertThat(transformer.take()).isNull();
  }

  @Test
  void allDiscoveredAllocatorsAreTakenAtOnce() {
    sees(loader, "a/buffer/PooledByteBufAllocator");
    sees(loader, "b/buffer/PooledByteBufAllocator");
    DiscoveredAllocator latest = transformer.take();
    assertThat(latest.prefix()).isEqualTo("b");
    assertThat(latest.next().prefix()).isEqualTo("a");
  }

  @Test
  void anUnrequestedRetransformationChangesNothing() {
    assertThat(
            transformer.transform(
                loader, "io/netty/buffer/PooledByteBufAllocator", String.class, null, new byte[4]))
        .isNull();
    assertThat(transformer.take()).isNull();
  }

  @Test
  void theRehearsalLeavesNothingBehind() {
    transformer.rehearse();
    assertThat(transformer.take()).isNull();
    assertThat(wakes).hasValue(0);
  }

  /**
   * Returns an instrumentation that retransforms as the JVM does, and records the classes of each
   * call.
   */
  private Instrumentation retransforming(List<List<Class<?>>> calls) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> {
              List<Class<?>> classes = List.of((Class<?>[]) arguments[0]);
              calls.add(classes);
              for (Class<?> each : classes) {
                String name = each.getName().replace('.', '/');
                transformer.transform(loader, name, each, null, NettyJars.own(name));
              }
              return null;
            });
  }

  @Test
  void allClassesAreInstrumentedAndRestoredInOneRetransformationEach() {
    List<List<Class<?>>> calls = new ArrayList<>();
    Instrumentation instrumentation = retransforming(calls);
    assertThat(transformer.instrument(instrumentation, List.of(POOLED, BUFFER))).isNull();
    assertThat(transformer.instrument(instrumentation, List.of(POOLED, BUFFER))).isNull();
    assertThat(calls).containsExactly(List.of(POOLED, BUFFER));
    assertThat(transformer.isInstrumented(POOLED)).isTrue();
    assertThat(transformer.isInstrumented(BUFFER)).isTrue();
    assertThat(transformer.restore(instrumentation, List.of(POOLED, UNPOOLED, BUFFER))).isNull();
    assertThat(calls).hasSize(2).last().isEqualTo(List.of(POOLED, BUFFER));
    assertThat(transformer.isInstrumented(POOLED)).isFalse();
    assertThat(transformer.isInstrumented(BUFFER)).isFalse();
  }

  @Test
  void aFailingClassIsNamedAndTheRemainingOnesAreRestored() {
    List<List<Class<?>>> calls = new ArrayList<>();
    Instrumentation instrumentation = retransforming(calls);
    assertThat(transformer.instrument(instrumentation, List.of(BUFFER))).isNull();
    assertThat(transformer.instrument(instrumentation, List.of(BUFFER, POOLED, String.class)))
        .hasMessageContaining("java.lang.String");
    assertThat(calls).hasSize(3).last().isEqualTo(List.of(POOLED, String.class));
    assertThat(transformer.isInstrumented(POOLED)).isFalse();
    assertThat(transformer.isInstrumented(BUFFER)).isTrue();
  }

  private Instrumentation refusing() {
    return (Instrumentation)
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {Instrumentation.class},
            (proxy, method, arguments) -> {
              throw new InternalError("refused");
            });
  }

  @Test
  void classesThatKeepOurCodeAreRestoredByALaterCall() {
    List<List<Class<?>>> calls = new ArrayList<>();
    Instrumentation instrumentation = retransforming(calls);
    assertThat(transformer.instrument(instrumentation, List.of(POOLED))).isNull();
    assertThat(transformer.restore(refusing(), List.of(POOLED))).hasMessage("refused");
    assertThat(transformer.isInstrumented(POOLED)).isFalse();
    assertThat(transformer.restore(refusing(), List.of(POOLED))).hasMessage("refused");
    assertThat(transformer.restore(instrumentation, List.of(POOLED))).isNull();
    assertThat(calls).hasSize(2);
    assertThat(transformer.restore(instrumentation, List.of(POOLED))).isNull();
    assertThat(calls).as("nothing is left to restore").hasSize(2);
  }

  @Test
  void aRetransformationThatTheJvmRefusesInstrumentsNothing() {
    Instrumentation refusing = refusing();
    assertThat(transformer.instrument(refusing, List.of(POOLED))).hasMessage("refused");
    assertThat(transformer.isInstrumented(POOLED)).isFalse();
    assertThat(transformer.restore(refusing, List.of(POOLED))).isNull();
  }
}
