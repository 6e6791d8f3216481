/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Flame graph of the stacks that hold memory: the outermost frame is at the top, and a wider frame holds more bytes.

import {hierarchy, partition} from './lib/d3-hierarchy/src/index.js';
import {html, svg, nothing} from './lib/lit-html/lit-html.js';
import {bytes, percent} from './format.js';

const ROW_PIXELS = 20;
const MAX_DEPTH = 40;

/** Width of the narrowest frame that the graph draws, as a fraction of the graph; the table has all sites. */
const MIN_WIDTH = 0.002;

let zoomed = '';

/** Frames that all stacks of a server have; the graph leaves them out because they would hide the application. */
const OF_PLATFORM = /^(java|javax|jdk|sun|com\.sun)\.|(^|\.)io\.netty\./;

/** Merges stacks into a tree; each site is a separate leaf, even without frames. */
function tree(sites) {
  const root = {name: 'all', children: new Map(), bytes: 0};
  for (const site of sites) {
    for (const one of site.stacks.length > 0 ? site.stacks : [{stack: [], frames_folded: 0, bytes: site.bytes}]) {
      const frames = one.stack.slice(one.frames_folded).filter((frame) => !OF_PLATFORM.test(frame)).reverse();
      let node = root;
      for (const frame of frames.length > 0 ? frames.slice(-MAX_DEPTH) : [site.site]) {
        if (!node.children.has(frame)) {
          node.children.set(frame, {name: frame, children: new Map(), bytes: 0});
        }
        node = node.children.get(frame);
      }
      node.bytes += one.bytes;
      node.site = site.site;
    }
  }
  return root;
}

function layout(sites) {
  const root = hierarchy(tree(sites), (node) => [...node.children.values()])
    .sum((node) => node.bytes)
    .sort((a, b) => b.value - a.value);
  return partition()(root);
}

const path = (node) => node.ancestors().map((one) => one.data.name).reverse().join('\n');

/** @param sites sites of /live with their stacks */
export function flameView(view, sites) {
  if (sites.length === 0) {
    return html`<p class="empty">No sampled buffer is in use.</p>`;
  }
  const root = layout(sites);
  const focus = root.descendants().find((node) => path(node) === zoomed) ?? root;
  const shown = root.descendants().filter((node) => isWithin(node, focus) && width(node, focus) >= MIN_WIDTH);
  const depth = Math.max(...shown.map((node) => node.depth)) + 1;
  const zoom = (node) => {
    zoomed = node === focus && node.parent ? path(node.parent) : path(node);
    view.changed();
  };
  return html`<div class="scroll"><svg class="flame" height=${depth * ROW_PIXELS} role="group" aria-label="Flame graph of live bytes">
      ${shown.map((node) => frameView(node, focus, root.value, zoom))}
    </svg></div>
    <p class="note">A wider frame holds more bytes. Frames of Netty and the JDK are left out. Click a frame, or press Enter, to show it in full width; repeat this to show the frame above.
      ${focus === root ? nothing : html`<button type="button" @click=${() => zoom(root)}>Show all</button>`}</p>`;
}

function isWithin(node, focus) {
  return node.ancestors().includes(focus) || focus.ancestors().includes(node);
}

function width(node, focus) {
  return focus.ancestors().includes(node) ? 1 : (node.x1 - node.x0) / (focus.x1 - focus.x0);
}

/** Returns whether the key is Enter or Space, and keeps Space from scrolling the page. */
function isPress(event) {
  if (event.key === ' ') {
    event.preventDefault();
  }
  return event.key === 'Enter' || event.key === ' ';
}

function frameView(node, focus, all, zoom) {
  const isAbove = focus.ancestors().includes(node);
  const x = isAbove ? 0 : (node.x0 - focus.x0) / (focus.x1 - focus.x0);
  const label = `${node.data.name}: ${bytes(node.value)}, ${percent(node.value, all)} of all`;
  const isSite = node.data.site !== undefined;
  return svg`<svg class="frame ${isSite ? 'site' : ''} ${isAbove ? 'above' : ''}" x="${100 * x}%" width="${100 * width(node, focus)}%"
      y=${node.depth * ROW_PIXELS} height=${ROW_PIXELS - 1} tabindex="0" role="button" aria-label=${label}
      @click=${() => zoom(node)} @keydown=${(event) => isPress(event) && zoom(node)}>
    <title>${label}</title><rect width="100%" height="100%"></rect><text x="4" y="14">${short(node.data.name)}</text>
  </svg>`;
}

/** Returns class and method of a frame, without the package and the file. */
function short(frame) {
  const name = frame.replace(/\(.*\)$/, '');
  return name.split('.').slice(-2).join('.');
}
