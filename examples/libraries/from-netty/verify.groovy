/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Checks that the library has no references to Netty, depends only on Cistern's library, and runs as before.
def source = new File(basedir, 'src/main/java/example/Frames.java').text
assert source.contains('import dev.cistern.buffer.')
assert !source.contains('io.netty')
assert !new File(basedir, 'pom.xml').text.contains('netty-buffer')

def dependencies = new File(basedir, 'target/path').text.trim().split(File.pathSeparator) as List
assert dependencies.size() == 1 && dependencies[0].contains('cistern-buffer-core'): dependencies
def path = (dependencies + new File(basedir, 'target/classes').path).join(File.pathSeparator)

def check = { String home, List flags ->
  def process = ([home + '/bin/java'] + flags + ['--class-path', path, 'example.Frames']).execute()
  def out = new StringBuilder()
  def err = new StringBuilder()
  process.waitForProcessOutput(out, err)
  assert process.exitValue() == 0: "$out$err"
  assert out.readLines() == ['dev.cistern.buffer', 'hello', '72657374', 'released']
  assert err.toString() == '': "$home $flags"
}

check(System.getProperty('java.home'), Runtime.version().feature() < 24 ? [] : ['--sun-misc-unsafe-memory-access=allow'])
if (jdk25Home) {
  check(jdk25Home, ['--sun-misc-unsafe-memory-access=allow'])
} else {
  println 'no JDK 25 (jdk25.home): not run there'
}
return true
