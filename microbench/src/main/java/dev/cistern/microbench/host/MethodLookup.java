/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.codec.http.HttpMethod;

/** Looks up request methods by name, including unknown names. */
public class MethodLookup extends Workload {
  private final String[] names = new String[64];

  @Override
  void open() {
    String[] known = {
      "GET",
      "POST",
      "GET",
      "PUT",
      "GET",
      "HEAD",
      "OPTIONS",
      "PATCH",
      "DELETE",
      "TRACE",
      "CONNECT",
      "PROPFIND",
      "GET",
      "get",
      "PURGE",
      "LINK"
    };
    for (int i = 0; i < names.length; i++) {
      names[i] = known[i % known.length];
    }
  }

  @Override
  int operate() {
    int sum = 0;
    for (String name : names) {
      sum += HttpMethod.valueOf(name).asciiName().length();
    }
    return sum;
  }

  @Override
  void record(Outcome into) {
    for (String name : names) {
      into.add(HttpMethod.valueOf(name).asciiName());
    }
  }
}
