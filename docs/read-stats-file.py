#!/usr/bin/env python3
# Copyright 2026 The Cistern Authors
# SPDX-License-Identifier: Apache-2.0
"""Prints a stats file (docs/stats-file.md): its host, and the tables of its newest whole frame."""
import struct
import sys

LAYOUTS = {1: (2048, ("application", "version")),
           2: (4096, ("application", "version", "pod", "container"))}
FIELDS = ("pid", "start_millis", "heartbeat_millis", "interval_millis", "exit", "flags", "died_millis")

def words(data, at, count):
    return struct.unpack_from("<%dq" % count, data, at)

def crc32c(data):
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF

def header(data):
    version, header_bytes, file_bytes = words(data, 8, 3)
    known, names = LAYOUTS.get(version, (0, ()))
    if data[:8] != b"CISTERN\n" or known != header_bytes:
        raise SystemExit("no stats file of a version that is known here")
    if data[known - 8:known] != b"READY!\n\n" or file_bytes != len(data):
        raise SystemExit("not ready, or not whole")
    host = {"format_version": version, "id": "%016x" % struct.unpack_from("<Q", data, 32)}
    host.update(zip(FIELDS, words(data, 40, len(FIELDS))))
    for i, name in enumerate(names):
        at = 128 + 512 * i
        host[name] = data[at + 8:at + 8 + words(data, at, 1)[0]].decode(errors="replace")
    return host

def newest_content(data):
    best, content = 0, None
    for slot in (96, 112):
        at, room = words(data, slot, 2)
        if room >= 32:
            sequence, checksum, length, _ = words(data, at, 4)
            if sequence > best and sequence % 2 == 0 and 0 <= length <= room - 32 and (
                    crc32c(data[at + 16:at + 32 + length]) == checksum):
                best, content = sequence, data[at + 32:at + 32 + length]
    return content

def tables(content):
    count, size = words(content, 0, 2)
    ends = words(content, 16, count)
    at = 16 + 8 * count
    strings = [content[at + a:at + b].decode(errors="replace") for a, b in zip((0,) + ends, ends)]
    at += (size + 7) // 8 * 8
    read = {2: lambda cell: struct.unpack("<d", struct.pack("<q", cell))[0], 3: strings.__getitem__}
    for _ in range(words(content, at, 1)[0]):
        name, columns, rows = words(content, at + 8, 3)
        heads = words(content, at + 32, 2 * columns)
        kinds = [read.get(kind, int) for kind in heads[1::2]]
        cells = words(content, at + 32 + 16 * columns, columns * rows)
        at += 24 + 16 * columns + 8 * columns * rows
        lines = [cells[row * columns:(row + 1) * columns] for row in range(rows)]
        yield strings[name], [strings[column] for column in heads[::2]], [
            [kind(cell) for kind, cell in zip(kinds, line)] for line in lines]

def main(path):
    with open(path, "rb") as file:
        data = file.read()
    for key, value in header(data).items():
        print("%s: %s" % (key, value))
    for name, columns, rows in tables(newest_content(data) or bytes(32)):
        print("\n%s\n%s" % (name, "\t".join(columns)))
        for row in rows:
            print("\t".join(str(cell).replace("\t", " ").replace("\n", " ") for cell in row))

if __name__ == "__main__":
    main(sys.argv[1])
