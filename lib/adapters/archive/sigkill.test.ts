import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../demo/random'
import { ArchiveKeeper } from '../../engine/archive/archive-keeper'
import { readArchived } from '../../engine/archive/read-archived'
import { verifyArchive } from '../../engine/archive/verify-archive'
import { bundleChild, type ChildProgram } from '../../testing/child'
import { listAll, temporaryFolder, writeFiles } from '../../testing/store-folder'
import { discoverStores } from '../discovery/discover'
import { createStoreReader } from '../stores/store-reader'
import { sha256 } from '../write/sha256'
import { archiveSources } from './archive-sources'
import { openArchiveFolder } from './open-archive'

/** PLIMSOLL_KILLS makes a longer run, as `npm run fuzz` does. */
const KILLS = Number(process.env.PLIMSOLL_KILLS ?? 8)

let program: ChildProgram
beforeAll(() => {
  program = bundleChild('lib/testing/children/keep-archive.ts')
})
afterAll(() => program.remove())

const HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}\n'

describe('a process that copies into the archive and is killed (SIGKILL)', () => {
  it(
    `leaves every copy whole in ${KILLS} kills, and the next one goes on`,
    async () => {
      const home = temporaryFolder()
      const store = join(home, 'store')
      const archive = join(home, 'archive')
      const names = ['a', 'b', 'c', 'd'].map((name) => join(store, `${name}.jsonl`))
      writeFiles(home, { 'store/sessions.json': '{}' })
      const folder = openArchiveFolder(archive, Date.now)
      const random = seededRandom(11)
      let left = 0
      for (let kill = 0; kill < KILLS; kill++) {
        for (const name of names) {
          const more = randomBytes(random.int(1_000, 400_000)).toString('hex')
          const line = `{"type":"custom","id":"${kill}","data":"${more}"}\n`
          if (!existsSync(name) || random.int(0, 3) === 0) writeFileSync(name, HEADER + line)
          else appendFileSync(name, line)
        }
        const child = program.start([store, archive])
        await child.says('ready')
        await wait(random.int(5, 400))
        if (kill % 4 === 3) rmSync(names[random.int(0, 3)] ?? '', { force: true })
        child.process.kill('SIGKILL')
        await child.ended
        const check = await verifyArchive({ folder, sha256 })
        expect(check.damaged).toEqual([])
        left += check.unused
      }
      const reader = createStoreReader()
      const found = (await discoverStores({ home, env: {}, only: [store] })).stores[0]
      if (found === undefined) throw new Error('no store')
      const keeper = new ArchiveKeeper({
        folder,
        sources: archiveSources(reader),
        sha256,
        clock: { now: Date.now },
        limits: { quotaBytes: 1e9, keepMs: 1e9 },
        deletionOf: () => null,
      })
      const { transcripts } = await listAll(reader, found)
      keeper.takeListing(found, transcripts, true)
      expect((await keeper.pass({ eager: true })).problems).toEqual([])
      for (const { id, path } of transcripts) {
        const version = await folder.newest(id)
        if (version === null) throw new Error(`${path} is not kept`)
        const blocks: Uint8Array[] = []
        for await (const block of readArchived({ folder, sha256 }, version)) blocks.push(block)
        expect(Buffer.concat(blocks).equals(readFileSync(path))).toBe(true)
      }
      console.info(`${KILLS} kills, every copy whole; ${left} blocks were left that no copy names`)
    },
    120_000 + KILLS * 3_000,
  )
})
