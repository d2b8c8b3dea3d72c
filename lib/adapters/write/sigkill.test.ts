import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../demo/random'
import type { Receipt } from '../../engine/write/receipt'
import { recoverWrites } from '../../engine/write/recover-writes'
import { bundleChild, type ChildProgram } from '../../testing/child'
import { temporaryFolder } from '../../testing/store-folder'
import { TEST_PROVER, testWriter } from '../../testing/test-writer'
import { sessionLocks } from '../locks/session-locks'
import { checkAuditLog } from './check-audit-log'
import { nodeWriteFiles } from './node-write-files'

/** PLIMSOLL_KILLS makes a longer run, as `npm run fuzz` does. */
const KILLS = Number(process.env.PLIMSOLL_KILLS ?? 20)
const WRITERS = 2

let program: ChildProgram
beforeAll(() => {
  program = bundleChild('lib/testing/children/write-store.ts')
})
afterAll(() => program.remove())

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Every line is whole, but perhaps the last, of an addition that was cut short. */
function brokenLines(path: string): { broken: number; torn: boolean } {
  const lines = readFileSync(path, 'utf8').split('\n')
  const rest = lines.pop() ?? ''
  return { broken: lines.filter((line) => !isWhole(line)).length, torn: rest !== '' }
}

function isWhole(line: string): boolean {
  try {
    const { text, sum } = JSON.parse(line)
    return sha256(text) === sum
  } catch {
    return false
  }
}

/** What the receipts say that the files should be: the last write of each path that happened. */
function hashesOf(receipts: readonly Receipt[]): Map<string, string | null> {
  const hashes = new Map<string, string | null>()
  for (const { state, files } of receipts) {
    if (state === 'failed') continue
    for (const { path, after } of files) hashes.set(path, after?.hash ?? null)
  }
  return hashes
}

describe('two processes that write to one store and are killed (SIGKILL)', () => {
  it(
    `loses nothing in ${KILLS} kills`,
    async () => {
      const folder = temporaryFolder()
      const store = join(folder, 'store')
      const home = join(folder, 'home')
      await nodeWriteFiles.makeFolder(store)
      const random = seededRandom(7)
      const locks = sessionLocks()
      const writer = { ...testWriter(nodeWriteFiles, { home, logLocks: locks }), locks }
      const states = new Map<string, number>()
      let settled = 0
      for (let kills = 0; kills < KILLS; kills += WRITERS) {
        const children = Array.from({ length: WRITERS }, (_, i) =>
          program.start([store, home, String(kills + i + 1)]),
        )
        await Promise.all(children.map((child) => child.says('ready')))
        await wait(random.int(5, 250))
        for (const child of children) child.process.kill('SIGKILL')
        await Promise.all(children.map((child) => child.ended))

        for (const name of readdirSync(store).filter((name) => !/\.(tmp|lock|stale)$/.test(name))) {
          expect(brokenLines(join(store, name)).broken, `${name} before it is settled`).toBe(0)
        }
        const report = await recoverWrites(writer)
        expect(report.waiting).toEqual([])
        settled += report.settled.length
        const left = readdirSync(store).filter((name) => !/\.(lock|stale)$/.test(name))
        for (const name of left) expect(brokenLines(join(store, name))).toEqual({ broken: 0, torn: false })
        expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([])

        const receipts: Receipt[] = []
        for (const id of [...(await writer.receipts.ids())].reverse()) {
          const receipt = await writer.receipts.get(id)
          if (receipt !== null) receipts.push(receipt)
        }
        const hashes = [...hashesOf(receipts)].filter(([, hash]) => hash !== null)
        expect(left.map((name) => join(store, name)).sort()).toEqual(hashes.map(([path]) => path).sort())
        for (const [path, hash] of hashes) expect(sha256(readFileSync(path)), path).toBe(hash)
        states.clear()
        for (const { state } of receipts) states.set(state, (states.get(state) ?? 0) + 1)
      }
      const log = await checkAuditLog({ files: nodeWriteFiles, prover: TEST_PROVER }, join(home, 'logs'))
      expect(log).toMatchObject({ ok: true, broken: null, problems: [] })
      // How many there are depends on how far the writers came; each write that ended has its line.
      expect((await writer.receipts.ids()).filter((id) => !log.receipts.has(id))).toEqual([])
      console.info(`${KILLS} kills, 0 losses; ${settled} writes settled;`, Object.fromEntries(states))
      expect(settled).toBeGreaterThan(KILLS / 20)
    },
    120_000 + KILLS * 2_000,
  )
})
