/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package example.hosts.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;

/** The pages of the application. */
@Controller
public class Pages {
  /** Returns the body of the request. */
  @Post(
      uri = "/echo",
      consumes = MediaType.APPLICATION_OCTET_STREAM,
      produces = MediaType.APPLICATION_OCTET_STREAM)
  public byte[] echo(@Body byte[] body) {
    return body;
  }
}
