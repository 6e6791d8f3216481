/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.micronaut;

import example.hosts.common.Lifetime;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.util.Map;

/** Serves HTTP until the standard input closes. */
public final class MicronautHost {
  private MicronautHost() {}

  /** Takes no arguments. */
  public static void main(String[] arguments) throws IOException {
    EmbeddedServer server =
        ApplicationContext.run(
            EmbeddedServer.class,
            Map.of("micronaut.server.host", "127.0.0.1", "micronaut.server.port", -1));
    Lifetime.serve(server.getPort());
  }
}
