/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.gateway;

import example.hosts.common.EchoServer;
import example.hosts.common.Lifetime;
import java.io.IOException;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.Buildable;
import org.springframework.cloud.gateway.route.builder.PredicateSpec;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;

/** Routes requests to a service on this machine until the standard input closes. */
@SpringBootApplication
public class GatewayHost {
  /** Takes Spring's arguments. */
  public static void main(String[] arguments) throws IOException {
    int service = EchoServer.start(body -> body);
    System.setProperty("example.service", "http://127.0.0.1:" + service);
    var context = SpringApplication.run(GatewayHost.class, arguments);
    String port = context.getEnvironment().getProperty("local.server.port");
    Lifetime.serve(Integer.parseInt(Objects.requireNonNull(port, "local.server.port")));
  }

  @Bean
  RouteLocator routes(RouteLocatorBuilder builder) {
    String service = System.getProperty("example.service");
    return builder
        .routes()
        .route("echo", route -> route.path("/echo").uri(service))
        .route("copy", route -> filtered(route, "/copy", new CopyingFilter(), service))
        .route("replace", route -> filtered(route, "/replace", new ReplacingFilter(), service))
        .build();
  }

  private static Buildable<Route> filtered(
      PredicateSpec route, String path, GatewayFilter filter, String service) {
    return route
        .path(path)
        .filters(filters -> filters.setPath("/echo").filter(filter))
        .uri(service);
  }
}
