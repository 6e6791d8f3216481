/* Copyright 2026 The Cistern Authors
SPDX-License-Identifier: Apache-2.0 */

// OpenRewrite changes no file that git ignores. This copy is in an ignored directory, so it becomes a separate repository.
def repository = new File(basedir, '.git')
new File(repository, 'objects').mkdirs()
new File(repository, 'refs').mkdirs()
new File(repository, 'HEAD').text = 'ref: refs/heads/main\n'
return true
