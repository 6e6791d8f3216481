/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.boot;

import dev.cistern.buffer.PooledByteBufAllocator;
import dev.cistern.exporter.AllocatorSource;
import dev.cistern.exporter.micrometer.CisternMetrics;
import example.hosts.common.Lifetime;
import java.io.IOException;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Serves HTTP until the standard input closes. */
@SpringBootApplication
public class LibraryHost {
  /** Takes Spring's arguments. */
  public static void main(String[] arguments) throws IOException {
    var context = SpringApplication.run(LibraryHost.class, arguments);
    String port = context.getEnvironment().getProperty("local.server.port");
    Lifetime.serve(Integer.parseInt(Objects.requireNonNull(port, "local.server.port")));
  }

  @Bean
  PooledByteBufAllocator allocator() {
    return new PooledByteBufAllocator(true);
  }

  @Bean
  AllocatorSource source(PooledByteBufAllocator allocator) {
    return new AllocatorSource("boot").add("orders", allocator);
  }

  /** Returns the metrics for the first way: Spring Boot binds them to its registries. */
  @Bean
  CisternMetrics cisternMetrics(AllocatorSource source) {
    return new CisternMetrics(source);
  }
}
