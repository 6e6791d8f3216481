/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// Runs the library's main class as a user would, and checks its output, and that the JVM prints no warnings.
def dependencies = new File(basedir, 'target/path').text.trim().split(File.pathSeparator) as List
assert dependencies.size() == 1: "the library brings others with it: $dependencies"

def modular = new File(basedir, 'target/classes/module-info.class').exists()
assert modular == (basedir.name == 'module-path')
def path = (dependencies + new File(basedir, 'target/classes').path).join(File.pathSeparator)
def arguments = modular
    ? ['--module-path', path, '--module', 'example.library/example.library.Greeting']
    : ['--class-path', path, 'example.library.Greeting']

def check = { String home, List flags ->
  def process = ([home + '/bin/java'] + flags + arguments).execute()
  def out = new StringBuilder()
  def err = new StringBuilder()
  process.waitForProcessOutput(out, err)
  assert process.exitValue() == 0: "$out$err"
  assert out.readLines() == ['from a pooled buffer', 'pinned: 0']
  assert err.toString() == '': "$home $flags"
}

check(System.getProperty('java.home'), Runtime.version().feature() < 24 ? [] : ['--sun-misc-unsafe-memory-access=allow'])
if (jdk25Home) {
  check(jdk25Home, ['--sun-misc-unsafe-memory-access=allow'])
} else {
  println 'no JDK 25 (jdk25.home): not run there'
}
return true
