import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CORPUS, transcriptFiles } from '../corpus'
import { brokenPromise, repairBytes } from '../repair/invariants'
import { mutate } from '../repair/mutate'
import { installClient } from './install'
import { PI } from './pi'

type SessionManagerClass = {
  open(file: string): { buildSessionContext(): { messages: { role: string }[] } }
}

const MUTATIONS = Number(process.env.FUZZ_N ?? 20_000)
const FIRST_SEED = Number(process.env.FUZZ_SEED ?? 1)

let SessionManager: SessionManagerClass
let folder: string

beforeAll(async () => {
  const installed = installClient(PI.name, PI.version)
  ;({ SessionManager } = await import(pathToFileURL(join(installed, 'dist/core/session-manager.js')).href))
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-fuzz-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sources = ['pi', 'openclaw-2026.7.1', 'openclaw-public'].map((name) => join(CORPUS ?? '', name))
const files = CORPUS === null ? [] : sources.flatMap(transcriptFiles)

describe.skipIf(files.length === 0)(
  `X12 damaged transcripts, repaired, load in pi ${PI.version} (needs the shared corpus)`,
  () => {
    it(`${MUTATIONS} of them`, { timeout: 7_200_000 }, async () => {
      const copy = join(folder, 'session.jsonl')
      const texts = new Map(files.map((file) => [file, readFileSync(file)]))
      const found: { [kind: string]: number } = {}
      for (let seed = FIRST_SEED; seed < FIRST_SEED + MUTATIONS; seed++) {
        const file = files[seed % files.length] ?? ''
        const { bytes, ways } = mutate(texts.get(file) ?? Buffer.alloc(0), seed)
        const label = `seed ${seed}, ${basename(file)}: ${ways.join(', ')}`
        const repaired = await repairBytes(bytes)
        expect(brokenPromise(bytes, repaired), label).toBeNull()
        const kind = repaired.check.ok ? 'sound' : repaired.check.kind
        found[kind] = (found[kind] ?? 0) + 1
        // pi empties a file without a header; there is nothing to load then.
        if (kind === 'headless') continue
        writeFileSync(copy, repaired.bytes)
        expect(() => SessionManager.open(copy).buildSessionContext(), label).not.toThrow()
      }
      process.stdout.write(`${MUTATIONS} mutations: ${JSON.stringify(found)}\n`)
      expect(found.transcript).toBeGreaterThan(MUTATIONS / 2)
    })
  },
)
