import { describe, expect, it } from 'vitest'
import { withoutStaleCheckpoints } from '../core/pruning/without-checkpoints'
import { checkpointRecord, suppressionRecord } from '../testing/builders/checkpoint'
import { agentInParts } from './conversation'

type Message = { readonly role: string; readonly content: string; readonly providerReplay?: unknown }

const user = (content: string): Message => ({ role: 'user', content })
const answer = (content: string, providerReplay?: unknown): Message => ({
  role: 'assistant',
  content,
  ...(providerReplay !== undefined && { providerReplay }),
})

describe('B4 rewrites of a live context and checkpoints of the provider', () => {
  const before = [
    user('one'),
    answer('two', checkpointRecord()),
    user('three'),
    answer('four', checkpointRecord({ data: 7 })),
    answer('five', suppressionRecord()),
  ]
  const recordsIn = (messages: readonly Message[]) =>
    messages.flatMap(({ content, providerReplay }) => (providerReplay === undefined ? [] : [content]))

  it('those at and behind the first change go; those before it and refusals stay', () => {
    const changed = before.with(2, user('three, in short'))
    expect(recordsIn(withoutStaleCheckpoints(before, changed))).toEqual(['two', 'five'])
    const own = before.with(1, answer('2', checkpointRecord()))
    expect(recordsIn(withoutStaleCheckpoints(before, own))).toEqual(['five'])
    expect(recordsIn(withoutStaleCheckpoints(before, before.slice(1)))).toEqual(['five'])
    expect(withoutStaleCheckpoints(before, changed)[0]).toBe(before[0])
  })

  it('messages that are added behind change nothing', () => {
    const added = [...before, user('six'), answer('seven', checkpointRecord())]
    expect(withoutStaleCheckpoints(before, added)).toBe(added)
  })

  it('whatever the context manager puts back is cleared of them', async () => {
    let kept: readonly Message[] = before
    const agent = agentInParts(
      {
        session: { id: 's' },
        form: {},
        clock: { now: () => 0 },
        getContext: () => kept,
        setContext: (messages: readonly Message[]) => {
          kept = messages
        },
      } as unknown as Parameters<typeof agentInParts<Message>>[0],
      { sizeOf: () => 1 },
    )
    const parts = await agent.getContext()
    await agent.setContext(parts.slice(1))
    expect(recordsIn(kept)).toEqual(['five'])
  })
})
