import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { lineSkeleton } from '../../adapters/jsonl/line-skeleton'
import { checkTranscript, checkTwice } from '../../engine/write/check-transcript'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { pieces } from '../../testing/repair/invariants'
import { mutate } from '../../testing/repair/mutate'
import { runs } from '../../testing/runs'
import type { RepairRules } from './content-flaws'

const ports = { decode: decodeUtf8, skeleton: lineSkeleton }

/** Checks both ways, which must answer the same; answers whether one look was enough. */
async function isSound(bytes: Uint8Array, rules: RepairRules = 'late', what = ''): Promise<boolean> {
  let looks = 0
  const read = () => {
    looks++
    return pieces(bytes)
  }
  expect(await checkTwice(read, ports, rules), what).toEqual(
    await checkTranscript(pieces(bytes), ports, rules),
  )
  return looks === 1
}

type Happening = (session: TranscriptBuilder, place: number, which: number) => void

const calling =
  (stop: string, answered: readonly string[]): Happening =>
  (session, place) => {
    session.assistant('', { calls: [`a-${place}`, `b${place}`], stop })
    for (const call of answered) session.result(`${call}${place}`, 'done')
  }

/** What happens in a session, mostly as it should be. */
const HAPPENINGS: readonly Happening[] = [
  (session) => session.user('well?'),
  (session, place) => session.assistant(`answer ${place}`),
  calling('toolUse', ['a-', 'b']),
  calling('toolUse', ['b', 'a-']),
  calling('aborted', []),
  calling('error', ['b']),
  (session, place, which) =>
    session.entry('compaction', { summary: 's', firstKeptEntryId: `e${Math.max(1, place - which)}` }),
  (session) => session.entry('compaction', { summary: 's' }),
  (session) => session.entry('branch_summary', { summary: ' ', fromId: 'e1' }),
  (session) => session.entry('custom_message', { content: 'c' }),
  (session) => session.entry('from-tomorrow'),
  (session) => session.message({ role: 'bashExecution', command: 'ls', output: '\\ud800' }),
]
const ODD: readonly Happening[] = [
  calling('toolUse', ['a-']),
  calling('toolUse', ['a-', 'b', 'b']),
  calling('stop', ['c', 'a-', 'b']),
  (session) => session.entry('reset', { reason: 'new' }),
  (session, _place, which) => session.entry('leaf', { targetId: `e${which}` }),
  (session, _place, which) => session.user('back', { parentId: `e${which}` }),
  (session, _place, which) => session.user('again', { id: `e${which}` }),
  (session) => session.user('beside', { appendMode: 'side' }),
  (session) => session.user(' '),
  (session) => session.message({ role: 'toolResult', content: [] }),
  (session) => session.entry('session', { version: 3 }),
  (session) => session.entry('compaction', { firstKeptEntryId: 'nowhere' }),
  (session) =>
    session.assistant('reported', {
      calls: ['x'],
      fields: { provider: 'openclaw', model: 'delivery-mirror' },
    }),
]

const happened = fc.tuple(
  fc.oneof(
    { arbitrary: fc.constantFrom(...HAPPENINGS), weight: 30 },
    { arbitrary: fc.constantFrom(...ODD), weight: 1 },
  ),
  fc.integer({ min: 1, max: 9 }),
)

describe('M10 a quick look at a transcript', () => {
  it('answers the same as the whole check, whatever happens in it', async () => {
    let sound = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(happened, { maxLength: 30 }),
        fc.constantFrom(1, 2, 3, 4),
        fc.constantFrom<RepairRules>('early', 'late'),
        fc.constantFrom('\n', '\n', '\n', ''),
        async (all, version, rules, end) => {
          const session = new TranscriptBuilder({ version })
          all.forEach(([happen, which], place) => {
            happen(session, place, which)
          })
          const text = session.text().trimEnd() + end
          if (await isSound(Buffer.from(text), rules)) sound++
        },
      ),
      runs(700),
    )
    expect(sound).toBeGreaterThan(60)
  })

  it('is enough for a sound transcript with compactions, failed turns and unknown entries', async () => {
    const session = new TranscriptBuilder()
    session.user('hello')
    for (const happen of HAPPENINGS.toSpliced(6, 1)) happen(session, 9, 0)
    session.entry('compaction', { summary: 's', firstKeptEntryId: session.assistant('kept') })
    session.user('and?')
    expect(await isSound(Buffer.from(session.text()))).toBe(true)
  })

  it.skipIf(CORPUS === null)('answers the same for real transcripts, damaged in any way', async () => {
    const files = transcriptFiles(CORPUS ?? '')
    let sound = 0
    for (const [i, file] of files.entries()) {
      const bytes = readFileSync(file)
      if (await isSound(bytes, 'late', file)) sound++
      for (const seed of [i, i + 500]) {
        const damaged = mutate(bytes, seed)
        await isSound(
          damaged.bytes,
          seed % 2 === 0 ? 'early' : 'late',
          `${file}, seed ${seed}: ${damaged.ways.join(', ')}`,
        )
      }
    }
    expect(sound).toBeGreaterThanOrEqual(4)
  })
})
