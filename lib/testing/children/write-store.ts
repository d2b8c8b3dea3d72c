// Writes to one transcript of a store without end: replaces it, adds to it, archives and restores it. Meant to be killed.
// Arguments: folder of the store, state folder, seed.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { liveOwners } from '../../adapters/locks/live-owners'
import { sessionLocks } from '../../adapters/locks/session-locks'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { seededRandom } from '../../demo/random'
import { readFileState } from '../../engine/write/file-state'
import type { WriteResult } from '../../engine/write/receipt'
import { recoverWrites } from '../../engine/write/recover-writes'
import { changeFiles, replaceFile } from '../../engine/write/replace-file'
import { undoWrite } from '../../engine/write/undo-write'
import { appendLines } from '../append-lines'
import { testWriter } from '../test-writer'

const [store = '', home = '', seed = '1'] = process.argv.slice(2)
const random = seededRandom(Number(seed))
const file = join(store, 'a.jsonl')
const locks = sessionLocks()
const writer = {
  ...testWriter(nodeWriteFiles, { home, logLocks: locks }),
  locks,
  // The store lies in a temporary folder that no runtime knows.
  live: { find: async () => null } satisfies ReturnType<typeof liveOwners>,
  ids: { receipt: (now: number) => `${now}-${String(process.hrtime.bigint())}-${random.hex(6)}` },
}
const common = {
  intent: { kind: 'repair', actor: 'child', reason: 'To be killed.', session: null, summary: {} },
  wait: { waitMs: 5_000 },
} as const
const target = { file, root: store, kind: 'openclaw' } as const

/** Lines that carry their own checksum. */
function lineOf(text: string): string {
  return JSON.stringify({ text, sum: createHash('sha256').update(text).digest('hex') })
}

async function* content(): AsyncGenerator<Uint8Array> {
  const lines = random.int(500, 4000)
  for (let i = 0; i < lines; i += 100) {
    const some = Array.from({ length: 100 }, () => lineOf(random.hex(random.int(10, 200))))
    yield new TextEncoder().encode(`${some.join('\n')}\n`)
  }
}

async function next(): Promise<WriteResult | null> {
  const expected = await readFileState(writer, file)
  if (expected === null) {
    const create = { op: 'create', file, mode: 0o600, produce: content } as const
    return existsSync(store)
      ? changeFiles(writer, { ...common, root: store, kind: 'openclaw', operations: [create] })
      : null
  }
  switch (random.int(0, 4)) {
    case 0:
      return appendLines(writer, {
        ...common,
        target,
        expected,
        lines: Array.from({ length: random.int(1, 300) }, () => lineOf(random.hex(300))),
      })
    case 1: {
      const to = `${file}.deleted.${random.hex(8)}`
      return changeFiles(writer, {
        ...common,
        root: store,
        kind: 'openclaw',
        operations: [
          { op: 'move', file, to, expected },
          { op: 'create', file: `${to}.new`, mode: 0o600, produce: content },
        ],
      })
    }
    case 2: {
      const [id] = await writer.receipts.ids()
      return id === undefined ? null : undoWrite(writer, { receipt: id, actor: 'child', wait: common.wait })
    }
    default:
      return replaceFile(writer, { ...common, target, expected, produce: content })
  }
}

await recoverWrites(writer)
process.stdout.write('ready\n')
for (;;) await next()
