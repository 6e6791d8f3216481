/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.agent.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cistern.agent.config.Mode;
import dev.cistern.agent.weave.Discovery;
import dev.cistern.agent.weave.Sighting;
import io.netty.buffer.OwnArenaAllocator;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class BypassCheckTest {
  private static final ClassLoader LOADER = OwnArenaAllocator.class.getClassLoader();

  private static Instrumentation listing(Class<?>... classes) {
    return (Instrumentation)
        Proxy.newProxyInstance(
            LOADER, new Class<?>[] {Instrumentation.class}, (proxy, method, arguments) -> classes);
  }

  /** The first scan may find a class that the transformer has just seen, too. */
  @Test
  void aClassThatIsSightedTwiceIsOneBypass() {
    Discovery discovery = new Discovery(() -> {});
    discovery.transform(
        LOADER, OwnArenaAllocator.class.getName().replace('.', '/'), null, null, new byte[0]);
    discovery.scan(listing(OwnArenaAllocator.class));
    BypassCheck check = new BypassCheck();
    int sightings = 0;
    for (Sighting each = discovery.take(); each != null; each = each.next()) {
      check.add(each);
      sightings++;
    }
    assertThat(sightings).isEqualTo(2);
    NettyCopy copy = new NettyCopy("io/netty", "io.netty", LOADER);
    copy.sawAllocator("io/netty/buffer/PooledByteBufAllocator");
    copy.want(Mode.OBSERVE, "");
    copy.settle();
    check.look(copy, LOADER);
    assertThat(copy.bypasses()).singleElement().asString().contains("OwnArenaAllocator");
  }
}
