/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.webflux;

import example.hosts.common.Lifetime;
import java.io.IOException;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Serves HTTP until the standard input closes. */
@SpringBootApplication
public class WebFluxHost {
  /** Takes Spring's arguments. */
  public static void main(String[] arguments) throws IOException {
    var context = SpringApplication.run(WebFluxHost.class, arguments);
    String port = context.getEnvironment().getProperty("local.server.port");
    Lifetime.serve(Integer.parseInt(Objects.requireNonNull(port, "local.server.port")));
  }
}
