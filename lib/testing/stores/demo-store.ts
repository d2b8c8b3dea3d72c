import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach } from 'vitest'
import { writeDemoFiles } from '../../adapters/files/demo-files'

/**
 * A copy of the demo's store of OpenClaw for each test, which it may change. Call it where tests are described.
 * @param folder where the demo and its copies are made
 * @returns the folder of the copy
 */
export function demoStoreCopies(folder: string): () => string {
  let original = ''
  let store = ''
  beforeAll(async () => {
    const roots = await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })
    original = roots.find((root) => root.kind === 'openclaw')?.path ?? ''
  })
  beforeEach(() => {
    store = mkdtempSync(join(folder, 'store-'))
    cpSync(original, store, { recursive: true })
  })
  return () => store
}
