import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { brokenPromise, checkBytes, repairBytes } from '../../testing/repair/invariants'
import { mutate } from '../../testing/repair/mutate'

const SEEDS = Number(process.env.FUZZ_N ?? 60)

describe('M10 M13 repair of damaged transcripts', () => {
  const files = CORPUS === null ? [] : transcriptFiles(CORPUS)

  it.skipIf(files.length === 0).each(files.map((file) => [basename(file), file]))(
    '%s is sound as its runtime wrote it (needs the shared corpus)',
    async (_name, file) => {
      expect((await checkBytes(readFileSync(file))).findings).toEqual([])
    },
  )

  it.skipIf(files.length === 0)('keeps its promises whatever happened to a file', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const file = files[seed % files.length] ?? ''
      const { bytes, ways } = mutate(readFileSync(file), seed)
      const repaired = await repairBytes(bytes)
      expect(brokenPromise(bytes, repaired), `seed ${seed}, ${basename(file)}: ${ways.join(', ')}`).toBeNull()
    }
  })

  it('finds nothing in a sound transcript', async () => {
    const session = new TranscriptBuilder()
    session.user('hello')
    session.assistant('', { calls: ['a', 'b'] })
    session.result('a', 'one')
    session.result('b', 'two')
    session.assistant('done')
    expect(await checkBytes(Buffer.from(session.text()))).toMatchObject({ ok: true, findings: [] })
  })
})
