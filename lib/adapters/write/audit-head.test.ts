import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WriteFiles } from '../../engine/write/write-ports'
import { temporaryFolder } from '../../testing/store-folder'
import { TEST_PROVER } from '../../testing/test-writer'
import { readAuditHead, writeHead } from './audit-head'
import { nodeWriteFiles } from './node-write-files'

/** Each byte comes by itself. */
const inBytes: WriteFiles = {
  ...nodeWriteFiles,
  read: async function* (path, range) {
    for await (const piece of nodeWriteFiles.read(path, range))
      for (const byte of piece) yield Uint8Array.of(byte)
  },
}

test('the head is the same however its file comes in pieces', async () => {
  const path = join(temporaryFolder(), 'audit.head.json')
  const head = { seq: 3, hash: 'Größe 🐚' }
  await writeHead(nodeWriteFiles, path, TEST_PROVER, head)
  expect(await readAuditHead(nodeWriteFiles, path, TEST_PROVER)).toEqual(head)
  expect(await readAuditHead(inBytes, path, TEST_PROVER)).toEqual(head)
})
