import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { discoverStores } from '../../adapters/discovery/discover'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { runtimeTokens } from '../../core/compaction/runtime-size'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { CORPUS } from '../../testing/corpus'
import { sharedFolder } from '../../testing/store-folder'
import { inspectSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { runtimeKindOf } from '../read/runtime-kind'
import { openPlanSource, planSession } from './plan-session'
import { type KnownMessages, readMaterial, readMessages } from './summary-material'

const folder = sharedFolder()

/** A reader that counts the entries that are read by themselves. */
function counting(): { readonly reader: StoreReader; again: number } {
  const inner = createStoreReader({ lastLine: 'take-whole' })
  const counter = { reader: inner, again: 0 }
  counter.reader = {
    ...inner,
    texts: async function* (store, transcript, places) {
      for await (const text of inner.texts?.(store, transcript, places) ?? []) {
        counter.again += 1
        yield text
      }
    },
  }
  return counter
}

async function first(root: string) {
  const { stores } = await discoverStores({ env: {}, home: folder, only: [root] })
  const [store] = stores
  if (store === undefined) throw new Error(`no store at ${root}`)
  return store
}

describe('what plans of a session are made of', () => {
  test('D28: a session that was read with sizes is not read again for its plan, which is the same', async () => {
    const builder = new TranscriptBuilder()
    for (let i = 0; i < 30; i++) {
      builder.user(`Please do part ${i} at the quay: ${'größer ⚓ '.repeat(i * 20)}`)
      builder.assistant('', { calls: [`c${i}`], usage: { input: 900 + i * 600, output: 20 } })
      builder.result(`c${i}`, `"row\\n${i}"\t${'tide table '.repeat(60)}`)
    }
    const file = join(folder, 's1.jsonl')
    writeFileSync(file, builder.text())
    const store = await first(file)
    const plans: unknown[] = []
    for (const sizes of [true, false]) {
      const counter = counting()
      for await (const transcript of counter.reader.list(store)) {
        const session = await inspectSession(counter.reader, store, transcript, { sizes })
        const source = await openPlanSource(counter.reader, session, 'next')
        if (source === null) throw new Error('no plan')
        expect(counter.again).toBe(sizes ? 0 : 90)
        const policy = {
          ...DEFAULT_POLICY,
          compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 900 },
        }
        const choice = { policy, manual: true, source: 'digest', price: null, checkpoint: null } as const
        plans.push(planSession(source, choice))
      }
    }
    expect(plans[0]).toMatchObject({ kind: 'plan' })
    expect(plans[0]).toEqual(plans[1])
  })

  test('B4: a compaction behind a checkpoint of the provider looks at the full history, and says so', async () => {
    const builder = new TranscriptBuilder()
    const turn = (i: number, record?: unknown) => {
      builder.user(`Please do part ${i} at the quay: ${'tide table '.repeat(60)}`)
      builder.assistant('Done.', { usage: { input: 900, output: 20 }, ...openaiAnswer(record) })
    }
    for (let i = 0; i < 30; i++) turn(i)
    turn(30, checkpointRecord())
    for (let i = 31; i < 34; i++) turn(i)
    const file = join(folder, 's-checkpoint.jsonl')
    writeFileSync(file, builder.text())
    const store = await first(file)
    const { reader } = counting()
    for await (const transcript of reader.list(store)) {
      const session = await inspectSession(reader, store, transcript, { sizes: true })
      const keepRecentTokens = 900
      const policy = {
        ...DEFAULT_POLICY,
        compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens },
      }
      for (const call of ['next', 'last'] as const) {
        const source = await openPlanSource(reader, session, call)
        expect(source?.context.length).toBe(call === 'next' ? 68 : 67)
        if (source === null) throw new Error('no plan')
        const plan = planSession(source, {
          policy,
          manual: true,
          source: 'digest',
          price: null,
          checkpoint: null,
        })
        if (plan.kind !== 'plan') throw new Error('no plan')
        expect(plan.requests.parts.flat()[0]).toBe(1)
        expect(plan.warnings.map(({ code }) => code)).toContain('replaces-checkpoint')
      }
      const before = await openPlanSource(reader, session, 5)
      expect(before?.replayed).toBe(false)
    }
  })
})

test('D28: what was read for a summary is not read again for what it loses', async () => {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 40; i++) builder.user(`Please do part ${i} in src/part${i}.ts. ${'word '.repeat(100)}`)
  const file = join(folder, 's2.jsonl')
  writeFileSync(file, builder.text())
  const store = await first(file)
  const counter = counting()
  for await (const transcript of counter.reader.list(store)) {
    const session = await inspectSession(counter.reader, store, transcript, { sizes: true })
    const source = await openPlanSource(counter.reader, session, 'next')
    const policy = { ...DEFAULT_POLICY, compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 900 } }
    const choice = { policy, manual: true, source: 'digest', price: null, checkpoint: null } as const
    const plan = source === null ? null : planSession(source, choice)
    if (source === null || plan?.kind !== 'plan') throw new Error('no plan')
    const known: KnownMessages = new Map()
    await readMaterial(counter.reader, source, plan, undefined, known)
    expect(counter.again).toBeGreaterThan(20)
    const facts = source.path.map(({ fact }) => fact)
    const messages = await readMessages(counter.reader, source, facts, known)
    expect(counter.again).toBe(40)
    expect([...messages.keys()]).toEqual(facts.filter(({ type }) => type === 'message').map(({ seq }) => seq))
    expect([...messages.values()]).toEqual([...(await readMessages(counter.reader, source, facts)).values()])
  }
})

test('D18, D17: what a summary is made of: the summary before it, all messages before the cut, the newest three turns', async () => {
  const builder = new TranscriptBuilder()
  const old = Array.from({ length: 6 }, (_, i) => builder.user(`Old part ${i}. ${'word '.repeat(100)}`))
  builder.compaction('## Decisions\n- Berth 4 is closed.', old.at(-1) ?? '')
  for (let i = 0; i < 30; i++) builder.user(`New part ${i}. ${'word '.repeat(100)}`)
  const file = join(folder, 's3.jsonl')
  writeFileSync(file, builder.text())
  const store = await first(file)
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for await (const transcript of reader.list(store)) {
    const session = await inspectSession(reader, store, transcript, { sizes: true })
    const source = await openPlanSource(reader, session, 'next')
    const policy = { ...DEFAULT_POLICY, compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 900 } }
    const choice = { policy, manual: true, source: 'model', price: null, checkpoint: null } as const
    const plan = source === null ? null : planSession(source, choice)
    if (source === null || plan?.kind !== 'plan') throw new Error('no plan')
    const asked: unknown[] = []
    const material = await readMaterial(reader, source, plan, async (of) => {
      asked.push(of)
      return 'Never dredge on Sundays.'
    })
    const numbers = (messages: readonly { text: string }[]) =>
      messages.map(({ text }) => text.slice(0, text.indexOf('.')))
    expect(material.previous).toContain('Berth 4 is closed.')
    expect(material.workspaceRules).toBe('Never dredge on Sundays.')
    expect(asked).toEqual([session])
    const summarised = numbers(material.parts.flat())
    expect(summarised[0]).toBe('Old part 5')
    expect(numbers(material.archive)).toEqual([
      ...['Old part 0', 'Old part 1', 'Old part 2', 'Old part 3', 'Old part 4'],
      ...summarised,
    ])
    expect(numbers(material.recentTurns)).toEqual(summarised.slice(-3))
    const known: KnownMessages = new Map()
    await readMaterial(reader, source, plan, undefined, known)
    expect(known.size).toBe(material.archive.length + 1)
  }
})

describe.skipIf(CORPUS === null)('sizes of the corpus', () => {
  test.each(['openclaw-2026.7.1', 'openclaw-2026.9.6', 'pi'])('D28: %s: as the texts are', async (name) => {
    const root = join(CORPUS ?? '', name)
    const reader = createStoreReader({ lastLine: 'take-whole' })
    const store = await first(root)
    let sized = 0
    for await (const transcript of reader.list(store))
      for await (const { facts } of reader.read(store, transcript, null, () => undefined, { sizes: true }))
        for (const fact of facts) {
          if (fact.size === undefined) continue
          const entry = JSON.parse(await reader.source(store, transcript, fact))
          expect(fact.size).toBe(runtimeTokens(entry, runtimeKindOf(store)))
          sized += 1
        }
    expect(sized).toBeGreaterThan(0)
  })
})
