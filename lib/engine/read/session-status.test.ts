import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { writeDemoFiles } from '../../adapters/files/demo-files'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { sharedFolder } from '../../testing/store-folder'
import { inspectSession } from './inspect-session'
import { inspectStatus } from './session-status'

const folder = sharedFolder()
const full = createStoreReader({ lastLine: 'take-whole' })
// Small batches, so that there is something to go on from.
const outline = createStoreReader({
  lastLine: 'take-whole',
  limits: { outline: true, batchFacts: 50 },
})
let roots: string[] = []

beforeAll(async () => {
  roots = (await writeDemoFiles({ home: folder, now: Date.parse('2026-11-21T12:00:00Z') })).map(
    ({ path }) => path,
  )
})

async function transcripts(paths: readonly string[]) {
  const { stores } = await discoverStores({ env: {}, home: folder, only: paths })
  const all = []
  for (const store of stores) for await (const transcript of full.list(store)) all.push({ store, transcript })
  return all
}

describe('status without reading everything closely', () => {
  it('tells the same as a full reading, but for estimates that learned from more calls', async () => {
    const all = await transcripts(roots)
    expect(all.length).toBe(12)
    for (const { store, transcript } of all) {
      const whole = await inspectSession(full, store, transcript)
      const status = await inspectStatus({ outline, full }, store, transcript)
      const { context, ...counts } = status.totals
      expect(whole.totals).toMatchObject({ ...counts })
      expect(context.basis).toBe(whole.totals.context.basis)
      const [a, b] = [context.value ?? 0, whole.totals.context.value ?? 0]
      expect(Math.abs(a - b) / b).toBeLessThan(context.basis === 'measured' ? 1e-9 : 0.02)
      expect(status.next.call).toBe(whole.next.call)
      expect(status.lastOutput).toEqual(whole.frames.at(-1)?.output)
      const compactions = whole.boundaries.filter(({ kind }) => kind === 'compaction')
      expect(status.lastCompaction).toEqual(compactions.at(-1) ?? null)
    }
  })

  it('looks closely at the end of a long session only', async () => {
    const all = await transcripts(roots)
    const watch = all.find(
      ({ transcript }) => transcript.key === 'agent:watch:main' && transcript.state === 'live',
    )
    if (!watch) throw new Error('the demo has no night watch')
    let read = 0
    const counting = {
      ...full,
      read: (...args: Parameters<typeof full.read>) =>
        (async function* () {
          for await (const batch of full.read(...args)) {
            read += batch.facts.length
            yield batch
          }
        })(),
    }
    const { totals } = await inspectStatus({ outline, full: counting }, watch.store, watch.transcript)
    expect(totals.compactions).toBeGreaterThan(2)
    expect(read).toBeLessThan(totals.entries * 0.8)
  })

  it('notices lines that a crash broke, also in the part that is counted only', async () => {
    const all = await transcripts(roots)
    const watch = all.find(
      ({ transcript }) => transcript.key === 'agent:watch:main' && transcript.state === 'live',
    )
    if (!watch) throw new Error('the demo has no night watch')
    const lines = readFileSync(watch.transcript.path, 'utf8').split('\n')
    const messages = lines.flatMap((line, i) => (line.includes('"role":"toolResult"') ? [i] : []))
    const [glued = 0, zeroed = 0, torn = 0, plain = 0] = messages
    lines[glued] = `${lines[glued]?.slice(0, 400)}${lines[glued + 1]}`
    lines[zeroed] = `${lines[zeroed]?.slice(0, 400)}\0\0\0\0${lines[zeroed]?.slice(-60)}`
    lines[torn] = lines[torn]?.slice(0, 500) ?? ''
    lines[plain] = 'Segmentation fault'
    const file = join(folder, 'broken.jsonl')
    writeFileSync(file, lines.join('\n'))
    const [broken] = await transcripts([file])
    if (!broken) throw new Error('it is not found')
    const whole = await inspectSession(full, broken.store, broken.transcript)
    expect(whole.totals.unreadable).toBeGreaterThanOrEqual(4)
    const status = await inspectStatus({ outline, full }, broken.store, broken.transcript)
    expect(status.totals.unreadable).toBe(whole.totals.unreadable)
    expect(status.totals.entries).toBe(whole.totals.entries)
  })

  it('is right after a return to before the last compaction', async () => {
    const file = join(folder, 'rewound.jsonl')
    const line = (id: string, parentId: string | null, fields: object) =>
      JSON.stringify({ id, parentId, timestamp: '2026-11-21T10:00:00.000Z', ...fields })
    const lines = [
      JSON.stringify({
        type: 'session',
        version: 3,
        id: 'rewound',
        timestamp: '2026-11-21T09:00:00.000Z',
        cwd: '/',
      }),
    ]
    const user = { type: 'message', message: { role: 'user', content: 'x'.repeat(400) } }
    lines.push(line('u0', null, user), line('u1', 'u0', user))
    lines.push(
      line('c1', 'u1', { type: 'compaction', summary: 'all', firstKeptEntryId: 'u1', tokensBefore: 10 }),
    )
    let parent = 'c1'
    for (let i = 0; i < 70; i++) {
      const usage = { input: 1000 + i, output: 5, cacheRead: 0, cacheWrite: 0 }
      const message = {
        role: 'assistant',
        content: [{ type: 'text', text: 'yes' }],
        provider: 'p',
        model: 'm',
        usage,
        stopReason: 'stop',
      }
      lines.push(line(`a${i}`, parent, { type: 'message', message }))
      parent = `a${i}`
    }
    lines.push(line('back', 'u0', user))
    writeFileSync(file, `${lines.join('\n')}\n`)
    for (const { store, transcript } of await transcripts([file])) {
      const whole = await inspectSession(full, store, transcript)
      const status = await inspectStatus({ outline, full }, store, transcript)
      expect(status.totals.context).toEqual(whole.totals.context)
      expect(status.next.categories).toEqual(whole.next.categories)
    }
  })
})
