import { describe, expect, it } from 'vitest'
import type { Checkpoint } from '../core/memory/checkpoint'
import { checkpointText } from '../core/memory/checkpoint'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { MessageForm } from '../core/summary/message-form'
import type { Summarizer } from '../engine/summary/summarizer'
import { SummaryChain } from '../engine/summary/summary-chain'
import { scriptedSummarizer, standingClock } from '../testing/scripted-summarizer'
import { type CheckpointOptions, coveringText, writeCheckpoint } from './write-checkpoint'

type Message = { readonly role: string; readonly text: string; readonly summary?: true }

const form: MessageForm<Message> = {
  tokensOf: ({ text }) => text.length,
  toSource: ({ role, text, summary }, index) =>
    text === ''
      ? null
      : {
          ...{ entryId: `m${index}`, line: index + 1, calls: [], images: 0, text },
          role: summary ? 'summary' : role === 'user' ? 'user' : 'assistant',
        },
  fromText: (text) => ({ role: 'user', text, summary: true }),
  isSummary: ({ summary }) => summary === true,
}
const TALK: readonly Message[] = [
  { role: 'user', text: 'Please moor the barge at berth 4.' },
  { role: 'assistant', text: 'We decided to moor it at berth 9 instead.' },
  { role: 'user', text: 'Then look after the pilot.' },
]

function optionsOf(
  models: readonly Summarizer[] | null,
  over: Partial<CheckpointOptions<Message>> = {},
): CheckpointOptions<Message> {
  return {
    ...{ session: 's1', at: 77, policy: DEFAULT_POLICY, form, previous: null },
    chain: models === null ? null : new SummaryChain(models, standingClock()),
    summary: { sizeOf: (text) => text.length / 4, mask: (text) => text, isSecret: () => false },
    ...over,
  }
}
const reply = JSON.stringify({
  summary: 'At berth 9.',
  topics: ['barge'],
  decisions: ['berth 9'],
  questions: ['pilot?'],
})

describe('E9 E10 a checkpoint of a conversation', () => {
  it('is what a model answered, with what it covers and how large both are', async () => {
    const model = scriptedSummarizer('a/m', [reply])
    const { checkpoint, notes } = await writeCheckpoint(TALK, optionsOf([model]))
    const body = { summary: 'At berth 9.', topics: ['barge'], decisions: ['berth 9'], questions: ['pilot?'] }
    expect(checkpoint).toEqual({
      ...{ id: '77-2', session: 's1', at: 77, uptoEntryId: expect.any(String), uptoSeq: 2, body },
      covered: TALK.reduce((sum, { text }) => sum + text.length, 0),
      tokens: checkpointText(body).length / 4,
    })
    expect(notes).toEqual([])
    expect(model.asked[0]?.maxTokens).toBe(DEFAULT_POLICY.summary.rolling.maxTokens)
    for (const { text } of TALK) expect(model.asked[0]?.prompt.user).toContain(text)
  })

  it('represents its conversation, also when that goes on, and no other one', async () => {
    const { checkpoint } = await writeCheckpoint(TALK, optionsOf(null))
    const text = checkpointText(checkpoint.body)
    expect(coveringText(checkpoint, TALK, form)).toEqual({ text, tokens: checkpoint.tokens, uptoSeq: 2 })
    const longer = [...TALK, { role: 'assistant', text: 'Yes.' }]
    expect(coveringText(checkpoint, longer, form)?.uptoSeq).toBe(2)
    expect(coveringText(checkpoint, TALK.slice(0, 2), form)).toBeNull()
    const other = [...TALK.slice(0, 2), { role: 'user', text: 'Something else.' }]
    expect(coveringText(checkpoint, other, form)).toBeNull()
  })

  it('carries on the one before: the model gets that, and what is new', async () => {
    const model = scriptedSummarizer('a/m', [reply])
    const { checkpoint: previous } = await writeCheckpoint(TALK.slice(0, 2), optionsOf(null))
    const fresh: Checkpoint = { ...previous, body: { ...previous.body, summary: 'The barge came.' } }
    await writeCheckpoint(TALK, optionsOf([model], { previous: fresh }))
    const { user = '' } = model.asked[0]?.prompt ?? {}
    expect(user).toContain('The barge came.')
    expect(user).toContain('look after the pilot')
    expect(user).not.toContain('[user] Please moor the barge')
    const foreign = { ...fresh, uptoEntryId: 'another' }
    await writeCheckpoint(TALK, optionsOf([model], { previous: foreign }))
    expect(model.asked[1]?.prompt.user).toContain('Please moor the barge')
    expect(model.asked[1]?.prompt.user).not.toContain('The barge came.')
  })

  it.each<[string, readonly (string | object)[], RegExp[]]>([
    ['fails', [{}], [/a\/m is down/]],
    ['answers nothing', [''], [/^a\/m: /]],
  ])('is a digest where the model %s, and says so', async (_what, replies, notes) => {
    const model = scriptedSummarizer('a/m', replies as string[])
    const done = await writeCheckpoint(TALK, optionsOf([model]))
    expect(done.notes).toEqual(notes.map((note) => expect.stringMatching(note)))
    expect(JSON.stringify(done.checkpoint.body)).toContain('berth 9')
  })

  it('is a digest where there is no model, and where the conversation is too long for one request', async () => {
    const model = scriptedSummarizer('a/m', [reply])
    const sized = (tokens: number) => ({ summary: { ...optionsOf(null).summary, sizeOf: () => tokens } })
    await writeCheckpoint(TALK, optionsOf([model], sized(60_000)))
    expect(model.asked).toHaveLength(1)
    const { checkpoint, notes } = await writeCheckpoint(TALK, optionsOf([model], sized(60_001)))
    expect(model.asked).toHaveLength(1)
    expect(notes).toEqual([])
    expect(checkpoint.tokens).toBe(60_001)
    expect((await writeCheckpoint(TALK, optionsOf(null))).notes).toEqual([])
  })

  it('a digest carries on the summary that is in the conversation', async () => {
    const talk = [
      { role: 'user', text: '## Decisions\n- The keel was laid at berth 2.', summary: true },
      ...TALK,
    ] as const
    const { checkpoint } = await writeCheckpoint(talk, optionsOf(null))
    expect(JSON.stringify(checkpoint.body)).toContain('keel was laid')
  })

  it('is of what is said: messages of which nothing is read are left out', async () => {
    const talk = TALK.toSpliced(1, 0, { role: 'assistant', text: '' })
    const body = async (messages: readonly Message[]) =>
      (await writeCheckpoint(messages, optionsOf(null))).checkpoint.body
    expect(await body(talk)).toEqual(await body(TALK))
    const model = scriptedSummarizer('a/m', [reply])
    await writeCheckpoint(talk, optionsOf([model]))
    await writeCheckpoint(TALK, optionsOf([model]))
    expect(model.asked[0]?.prompt).toEqual(model.asked[1]?.prompt)
  })

  it('covers credentials before a model sees them, and can be of nothing', async () => {
    const model = scriptedSummarizer('a/m', [reply])
    const summary = { ...optionsOf(null).summary, mask: (text: string) => text.replaceAll('barge', '•') }
    await writeCheckpoint(TALK, optionsOf([model], { summary }))
    expect(model.asked[0]?.prompt.user).toContain('Please moor the •')
    const { checkpoint } = await writeCheckpoint([], optionsOf(null))
    expect(checkpoint).toMatchObject({ id: '77--1', uptoEntryId: '', uptoSeq: -1, covered: 0 })
  })
})

it('E9: a digest has room by how much was said, whatever a summary in front says', async () => {
  const talk = (turns: number): Message[] =>
    Array.from({ length: turns }, (_, i) => ({
      role: 'assistant',
      text: `We decided to moor barge${i} at berth${i} because crane${i} needs port ${4_000 + i}.`,
    }))
  const sizeOf = async (messages: readonly Message[]) =>
    (await writeCheckpoint(messages, optionsOf(null))).checkpoint.tokens
  const [short, long] = [await sizeOf(talk(20)), await sizeOf(talk(400))]
  expect(short).toBeLessThan(500)
  expect(long).toBeGreaterThan(2 * short)
  expect(long).toBeLessThan(2_500)
  const before = talk(400).map(({ text }) => `- ${text}`)
  const carried: Message = { role: 'user', text: `## Decisions\n${before.join('\n')}`, summary: true }
  expect(await sizeOf([carried, ...talk(20)])).toBeLessThan(500)
})
