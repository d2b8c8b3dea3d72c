import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkpointRecord,
  openaiAnswer,
  summaryRecord,
  suppressionRecord,
} from '../../testing/builders/checkpoint'
import { ourPlan, type ReplayHistory, type SentPlan } from '../../testing/builders/replay-histories'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import type { EntryFact } from './entry'
import { isUsable } from './provider-checkpoint'
import { changesReplay, familiesOf, findReplay, replayedOwner } from './replay-plan'

const FIXTURES = join(import.meta.dirname, '../../testing/fixtures/replay-plans.json')

describe('B4 what is sent with checkpoints', () => {
  const cases: (ReplayHistory & { plan: SentPlan })[] = JSON.parse(readFileSync(FIXTURES, 'utf8'))

  it.each(cases.map((one, i) => [i + 1, one.plan.kind, one] as const))(
    'recorded case %i, %s, is what OpenClaw planned',
    (_number, _kind, { plan, ...history }) => {
      expect(ourPlan(history)).toEqual(plan)
    },
  )

  it('the cases are of every kind', () => {
    const kinds = cases.map(({ plan }) => plan.kind)
    expect(kinds.filter((kind) => kind === 'full')).toHaveLength(8)
    for (const kind of ['refused', 'prefix', 'window'])
      expect(kinds.filter((one) => one === kind)).toHaveLength(4)
  })
})

describe('B4 which checkpoints a call can take, and what of their message is sent', () => {
  it.each<[string | null, readonly string[]]>([
    [null, ['openai', 'anthropic']],
    ['openai-responses', ['openai']],
    ['openclaw-azure-openai-responses-transport', ['openai']],
    ['anthropic-messages', ['anthropic']],
    ['openai-completions', []],
    ['', []],
  ])('a call by the API %j takes those of %j', (api, families) => {
    expect(familiesOf(api)).toEqual(families)
  })

  /** What is sent of an answer with these blocks whose checkpoint covers the first of them. */
  function sentOf(blocks: readonly object[], fields: object = {}): EntryFact {
    const t = new TranscriptBuilder()
    const { model, fields: route } = openaiAnswer(checkpointRecord({ data: 'x', replayIndex: 1 }))
    const content = [{ type: 'toolCall', id: 'a', name: 'exec', arguments: {} }, ...blocks]
    t.message({
      role: 'assistant',
      content,
      model,
      ...route,
      usage: { input: 9 },
      stopReason: 'stop',
      ...fields,
    })
    const [, fact] = t.facts()
    if (fact === undefined || !isUsable(fact.checkpoint)) throw new Error('the answer has no checkpoint')
    return replayedOwner(fact, fact.checkpoint)
  }
  const CALL = { type: 'toolCall', id: 'b', name: 'exec', arguments: {} }

  it('is the checkpoint as a summary, and the calls, images and texts behind it', () => {
    const image = { type: 'image', data: 'AA' }
    expect(sentOf([CALL, { ...CALL, id: 'c' }]).calls?.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(sentOf([CALL, image])).toMatchObject({
      ...{ usage: null, stopReason: 'stop', images: 1, calls: [{ id: 'b', name: 'exec' }] },
      units: { 'tool-call': expect.any(Number), image: 1200, summary: expect.any(Number) },
    })
  })

  it('has no calls and no images where all of them are covered', () => {
    const sent = sentOf([{ type: 'text', text: 'yes' }])
    expect([sent.calls, sent.images, sent.blank]).toEqual([undefined, undefined, undefined])
    expect(Object.keys(sent.units ?? {})).toEqual(['assistant', 'summary'])
  })

  it('is looked for in every family that the call can take', () => {
    const t = new TranscriptBuilder()
    t.message({ role: 'assistant', content: [], providerReplay: summaryRecord('All in.') })
    const route = {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      api: null,
      hidden: null,
      session: null,
    }
    expect(findReplay(t.facts(), route)?.owner).toBe(1)
    expect(findReplay(t.facts(), { ...route, api: 'openai-responses' })).toBeNull()
  })

  it('may change with each record whose family is known', () => {
    const changes = (providerReplay?: object) => {
      const t = new TranscriptBuilder()
      t.message({ role: 'assistant', content: [], providerReplay })
      return t.facts().map(changesReplay)
    }
    expect(changes()).toEqual([false, false])
    expect(changes({ type: 'x' })).toEqual([false, false])
    expect(changes(suppressionRecord())).toEqual([false, true])
    expect(changes(checkpointRecord({ v: 2 }))).toEqual([false, true])
  })

  it.each(['error', 'aborted'])('of a turn that ended with %s it is the checkpoint alone', (stopReason) => {
    const sent = sentOf([CALL, { type: 'image', data: 'AA' }], { stopReason })
    expect(Object.keys(sent.units ?? {})).toEqual(['summary'])
    expect([sent.calls, sent.images, sent.stopReason]).toEqual([undefined, undefined, undefined])
  })
})
