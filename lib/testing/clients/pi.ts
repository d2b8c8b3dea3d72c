import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { CORPUS, transcriptFiles } from '../corpus'
import { installClient } from './install'

/** The version of pi whose own code ours is compared with. */
export const PI = { name: '@mariozechner/pi-coding-agent', version: '0.73.1' }

/** Transcripts of the corpus that pi can read. */
export const PI_FILES =
  CORPUS === null
    ? []
    : ['pi', 'openclaw-2026.7.1', 'openclaw-public']
        .map((name) => join(CORPUS ?? '', name))
        .flatMap(transcriptFiles)

/**
 * Loads modules of pi before the tests, and gives it a folder to write to.
 * @param files modules below its `dist/core`
 */
export function openPi<Module>(...files: readonly string[]) {
  let module: Module
  let folder: string
  beforeAll(async () => {
    const dist = join(installClient(PI.name, PI.version), 'dist/core')
    const loaded = await Promise.all(files.map((file) => import(pathToFileURL(join(dist, file)).href)))
    module = Object.assign({}, ...loaded)
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-clients-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    module: () => module,
    /** pi may rewrite old files, so it gets a copy. Answers its path. */
    copyOf: (text: string) => {
      const copy = join(folder, 'session.jsonl')
      writeFileSync(copy, text)
      return copy
    },
  }
}
