/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.microbench.host;

import io.netty.handler.ssl.SslProvider;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All workloads by their names: the seed row, and what it is. */
public final class Workloads {
  /** Iterations that warm up a codec, or a helper. */
  private static final int SHORT = 10;

  /** Iterations that warm up what has a transport, or much more code. */
  private static final int LONG = 18;

  /**
   * One workload.
   *
   * @param id seed row and name
   * @param make makes it anew
   * @param warmups iterations of 200 ms after which it is as fast as it gets
   * @param parameters of the benchmark
   * @param missing says why it cannot run on this machine, or null
   */
  public record Entry(
      String id,
      Supplier<Workload> make,
      int warmups,
      Map<String, String> parameters,
      Supplier<@Nullable String> missing) {

    Entry(String id, Supplier<Workload> make, int warmups) {
      this(id, make, warmups, Map.of(), () -> null);
    }

    /** Its benchmark, without the package of all benchmarks. */
    public String benchmark() {
      return "host." + make.get().getClass().getSimpleName() + ".operation";
    }
  }

  private static final List<Entry> ALL =
      List.of(
          with("J1/http1-decode", Http1Decode::new, SHORT),
          with("J1/http1-encode", Http1Encode::new, SHORT),
          with("J1/http1-aggregate", Http1Aggregate::new, SHORT),
          with("J1/plaintext-server", PlaintextServer::new, LONG),
          with("J2/hpack-encode", HpackEncode::new, SHORT),
          with("J2/hpack-decode", HpackDecode::new, SHORT),
          with("J2/frame-write", FrameWrite::new, SHORT),
          with("J2/frame-read", FrameRead::new, SHORT),
          with("J2/flow-control", FlowControl::new, LONG),
          with("J2/grpc-unary", GrpcUnary::new, LONG),
          with("J2/grpc-stream", GrpcStream::new, LONG),
          tls("J3/tls-handshake", TlsHandshake::new, SslProvider.JDK),
          tls("J3/tls-wrap", TlsWrap::new, SslProvider.JDK),
          tls("J3/tls-transfer", TlsTransfer::new, SslProvider.JDK),
          tls("J3/tls-packets", TlsPackets::new, SslProvider.JDK),
          tls("J3/tls-handshake", TlsHandshake::new, SslProvider.OPENSSL),
          tls("J3/tls-transfer", TlsTransfer::new, SslProvider.OPENSSL),
          tls("J3/tls-packets", TlsPackets::new, SslProvider.OPENSSL),
          epoll("J4/epoll-echo", EpollEcho::new),
          epoll("J4/epoll-gather", EpollGather::new),
          with("J5/scheduled-cancel", ScheduledCancel::new, SHORT),
          with("J5/headers", Headers::new, SHORT),
          with("J5/method-lookup", MethodLookup::new, SHORT),
          with("J5/csv-escape", CsvEscape::new, SHORT),
          with("J5/ip-parse", IpParse::new, SHORT),
          with("J5/dates", Dates::new, SHORT),
          with("J5/cookies", Cookies::new, SHORT),
          with("J5/line-encode", LineEncode::new, SHORT),
          with("J5/base64", Base64Both::new, SHORT));

  private Workloads() {}

  /** In the order of the seed rows. */
  public static List<Entry> all() {
    return ALL;
  }

  private static Entry with(String id, Supplier<Workload> make, int warmups) {
    return new Entry(id, make, warmups);
  }

  private static Entry tls(String id, Supplier<Tls> make, SslProvider engine) {
    return new Entry(
        id + "-" + engine.name().toLowerCase(Locale.ROOT),
        () -> make.get().by(engine),
        LONG,
        Map.of("engine", engine.name()),
        () -> engine == SslProvider.JDK ? null : Tls.withoutOpenSsl());
  }

  private static Entry epoll(String id, Supplier<Workload> make) {
    return new Entry(id, make, LONG, Map.of(), Epolled::withoutEpoll);
  }
}
