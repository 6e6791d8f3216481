/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

package dev.cistern.exporter;

/** The parts of the landing page that do not change: head, style and links. */
final class PageStyle {
  /** Where to look further. */
  static final String LINKS =
      """
      <nav>
      <a href="metrics">Metrics</a>
      <a href="leaks">Leaks</a> <small>from this machine only</small>
      <a href="live">Live buffers</a> <small>from this machine only</small>
      <a href="debug/pprof/heap">Profile for pprof</a> <small>from this machine only</small>
      <a href="-/healthy">Health</a>
      <a href="-/ready">Readiness</a>
      </nav>
      """;

  private static final String STYLE =
      """
      :root {
        color-scheme: light dark;
        --ground: #f7f8fa; --card: #ffffff; --ink: #1c2530; --dim: #5b6774; --line: #dde2e8;
        --pinned: #1f6feb; --cached: #d9940a; --free: #cfd8e3; --link: #0b57d0; --leak: #b3261e;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --ground: #12161c; --card: #1b222b; --ink: #e6ebf1; --dim: #9aa7b5; --line: #2d3743;
          --pinned: #58a0ff; --cached: #e3b341; --free: #394656; --link: #8ab4f8; --leak: #ff8a80;
        }
      }
      * { box-sizing: border-box; }
      body {
        margin: 0; background: var(--ground); color: var(--ink);
        font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
      }
      header, main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1.25rem 0; }
      header p { margin: 0; color: var(--dim); }
      h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
      h2 { margin: 0; font-size: 1.2rem; overflow-wrap: anywhere; }
      h3 { margin: 1.2rem 0 .4rem; font-size: 1rem; }
      small { color: var(--dim); font-size: .85em; font-weight: normal; }
      section {
        background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
        padding: 1.1rem 1.25rem; margin-bottom: 1.25rem;
      }
      .mode {
        font-size: .8rem; font-weight: normal; padding: .1rem .6rem; margin-left: .3rem;
        border: 1px solid var(--line); border-radius: 1rem; vertical-align: middle;
      }
      .note { color: var(--dim); margin: .4rem 0 0; }
      svg { display: block; width: 100%; height: .8rem; border-radius: .4rem; }
      rect.pinned { fill: var(--pinned); }
      rect.cached { fill: var(--cached); }
      rect.free { fill: var(--free); }
      i { display: inline-block; width: .7rem; height: .7rem; border-radius: .2rem; margin-right: .4rem; }
      i.pinned { background: var(--pinned); }
      i.cached { background: var(--cached); }
      i.free { background: var(--free); }
      dl {
        display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
        gap: .6rem 1.5rem; margin: .8rem 0 0;
      }
      dt { color: var(--dim); font-size: .85rem; }
      dd { margin: 0; font-variant-numeric: tabular-nums; }
      section > dl:last-child { border-top: 1px solid var(--line); padding-top: .8rem; }
      a { color: var(--link); }
      a.leak { color: var(--leak); font-weight: 600; }
      nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: baseline; padding-bottom: 2rem; }
      nav small { margin-left: -.9rem; }
      """;

  private PageStyle() {}

  /** Everything up to the body's content. */
  static String start(String title) {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="icon" href="data:,">
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        """
        .formatted(Text.html(title), STYLE);
  }
}
