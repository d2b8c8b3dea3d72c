import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { nodeWriteFiles } from '../../adapters/write/node-write-files'
import { recoveredText } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { temporaryFolder } from '../../testing/store-folder'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { previewRecovery } from './preview-recovery'

const NOW = Date.parse('2026-11-02T08:00:00Z')
const store: FoundStore = { id: 'x', kind: 'pi', era: 'jsonl', root: '', label: 'x', state: 'ok' }

function world() {
  const folder = temporaryFolder()
  const t = new TranscriptBuilder()
  t.user('first')
  t.assistant('one')
  t.user('second')
  t.assistant('two')
  t.user('third')
  const file = join(folder, 'a.jsonl')
  writeFileSync(file, `${t.lines.join('\n')}\n`)
  const entryIds = t.lines.slice(1).map((line) => String(JSON.parse(line).id))
  const transcript: FoundTranscript = {
    ...{
      id: 't',
      storeId: 'x',
      sessionId: 's1',
      key: null,
      agent: null,
      path: file,
      state: 'live',
      index: null,
    },
    stamp: { dev: 0, ino: 0, size: 0, mtimeMs: 0 },
  }
  const chunk = (afterEntryId: string | null, more: Partial<ColdRecord> = {}): ColdRecord => ({
    ...{
      chunkId: 'c',
      sessionId: 's1',
      at: NOW,
      content: 'About the pier.',
      tokens: 4,
      reason: null,
      score: 0.1,
    },
    ...{ prompt: null, until: NOW + 1, place: { entryIds: [], afterEntryId } },
    ...more,
  })
  const preview = (
    one: ColdRecord,
    wanted: 'neighbourhood' | 'end' = 'neighbourhood',
    now = NOW,
    era: FoundStore['era'] = 'jsonl',
  ) =>
    previewRecovery(
      { files: nodeWriteFiles, decode: decodeUtf8, now: () => now, sizeOf: (text) => text.length },
      { chunk: one, store: { ...store, era, root: folder }, transcript, wanted },
    )
  return { file, entryIds, chunk, preview }
}

test('X13 a chunk is shown among its old neighbours, with target and tokens; nothing is written', async () => {
  const { file, entryIds, chunk, preview } = world()
  const before = readFileSync(file)
  const one = chunk(entryIds[1] ?? null)
  const shown = await preview(one)
  expect(shown).toMatchObject({ file, isThere: false, refusal: null, place: { kind: 'neighbourhood' } })
  expect(shown.before.map(({ preview }) => preview)).toEqual(['first', 'one'])
  expect(shown.after.map(({ preview }) => preview)).toEqual(['second', 'two', 'third'])
  expect(shown.tokens).toBe(recoveredText(one).length)
  expect(readFileSync(file)).toEqual(before)
})

test('X13 at the end, on demand or because the neighbours are unknown, and then it says why', async () => {
  const { entryIds, chunk, preview } = world()
  const end = await preview(chunk(entryIds[1] ?? null), 'end')
  expect([end.place.kind, end.after, end.before.length]).toEqual(['end', [], 3])
  const unknown = await preview(chunk(null, { place: null }))
  expect(unknown.place).toMatchObject({ kind: 'end', why: 'it is not known where it was' })
})

test('I3 X13 an expired chunk is shown and refused', async () => {
  const { chunk, preview } = world()
  const shown = await preview(chunk(null), 'end', NOW + 2)
  expect(shown.refusal?.message).toContain('could be brought back until')
})

test('X13 for a session in a database no neighbours are shown, and it is refused', async () => {
  const { chunk, preview } = world()
  const shown = await preview(chunk(null), 'neighbourhood', NOW, 'sqlite')
  expect(shown).toMatchObject({ before: [], after: [], isThere: false, refusal: { code: 'not-supported' } })
})
