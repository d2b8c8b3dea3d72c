import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memoryReader, memorySession } from '../../testing/memory-session'
import { Lanes } from '../jobs/lanes'
import type { FoundTranscript } from '../read/ports'
import { compactByGateway } from './compact-by-gateway'
import type { Gateway } from './gateway-port'

type Reply = Awaited<ReturnType<Gateway['compact']>>
const COMPACTED = { kind: 'answered', compacted: true, reason: null } as unknown as Reply

function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (const n of [1, 3, 5]) {
    session.user(`ask ${n}`)
    session.assistant(`answer ${n + 1}`, { usage: { input: 900 * n, output: 9 } })
  }
  return session
}

/** Has a gateway compact a session; `then` is what the database says afterwards. */
async function compact(
  then: (session: TranscriptBuilder) => void,
  {
    reply = COMPACTED,
    key = 'agent:main:main' as string | null,
    signal = undefined as AbortSignal | undefined,
    others = [] as readonly (readonly [Partial<FoundTranscript>, string])[],
  } = {},
) {
  let text = conversation().text()
  const stored = await memorySession(text, { store: { era: 'sqlite' }, transcript: { key } })
  const texts = new Map<FoundTranscript, () => string>([[stored.transcript, () => text]])
  for (const [over, other] of others) texts.set({ ...stored.transcript, ...over }, () => other)
  const asked: unknown[] = []
  const gateway: Gateway = {
    ...({} as Gateway),
    compact: async (request) => {
      asked.push(request)
      const session = conversation()
      then(session)
      text = session.text()
      return reply
    },
  }
  const { store, transcript } = stored
  const reader = memoryReader(store, texts)
  const ports = { reader, lanes: new Lanes(1), gateway }
  return { result: await compactByGateway(ports, { store, transcript, signal }), asked }
}
const unverified = (words: RegExp) => ({
  kind: 'unverified',
  message: expect.stringMatching(
    new RegExp(`^The gateway says that it compacted the session, but .*${words.source}.*\\.$`),
  ),
})

describe('D29 a compaction by the gateway of OpenClaw', () => {
  it('is believed when the database has the record, and the context begins with it and goes on with what it keeps', async () => {
    const { result, asked } = await compact((session) => session.compaction('so far', 'e5'))
    expect(result).toEqual({
      ...{ kind: 'compacted', recordId: 'e7', firstKeptEntryId: 'e5', sessionId: 's1' },
      tokensBefore: expect.objectContaining({ basis: expect.any(String) }),
      tokensAfter: expect.objectContaining({ basis: expect.any(String) }),
    })
    expect(asked).toMatchObject([{ key: 'agent:main:main', agent: 'main' }])
    if (result.kind !== 'compacted') throw new Error(result.kind)
    expect(result.tokensBefore.value).toBeGreaterThan(result.tokensAfter.value ?? Number.NaN)
  })

  it('may keep nothing of what was before: it names no entry, or itself', async () => {
    for (const kept of [undefined, 'e7']) {
      const record = { summary: 's', ...(kept === undefined ? {} : { firstKeptEntryId: kept }) }
      const { result } = await compact((session) => session.entry('compaction', record))
      expect(result).toMatchObject({ kind: 'compacted', recordId: 'e7', firstKeptEntryId: null })
    }
  })

  it('is looked for in the transcript that the key names by then', async () => {
    const renewed = conversation()
    renewed.compaction('so far', 'e3')
    const others = [
      [{ path: '/store/a', sessionId: 'archived', state: 'deleted' }, renewed.text()],
      [{ path: '/store/b', sessionId: 'other agent', agent: 'second' }, renewed.text()],
      [{ path: '/store/c', sessionId: 'other key', key: 'k' }, renewed.text()],
    ] as const
    expect((await compact(() => undefined, { others })).result).toEqual(unverified(/no new record/))
    const next = [{ path: '/store/d', sessionId: 's2' }, renewed.text()] as const
    expect((await compact(() => undefined, { others: [...others, next] })).result).toMatchObject({
      ...{ kind: 'compacted', sessionId: 's2', firstKeptEntryId: 'e3' },
    })
  })

  it('is not believed without its record', async () => {
    expect((await compact(() => undefined)).result).toEqual(unverified(/no new record of a compaction/))
  })

  it('is not believed where the context begins with something else', async () => {
    const { result } = await compact((session) => {
      session.compaction('so far', 'e5')
      session.entry('reset', { reason: 'new' })
    })
    expect(result).toEqual(unverified(/does not begin with the new summary/))
  })

  it('is not believed where the first entry that it keeps is not there', async () => {
    const { result } = await compact((session) => session.compaction('so far', 'nowhere'))
    expect(result).toEqual(unverified(/first entry that it keeps, nowhere, is not there/))
  })

  it('what the gateway answers otherwise is passed on', async () => {
    const answered = { ...COMPACTED, compacted: false, reason: 'too short' } as unknown as Reply
    const none = () => undefined
    expect((await compact(none, { reply: answered })).result).toEqual({
      kind: 'nothing',
      reason: 'too short',
    })
    const failed = { kind: 'failed', message: 'It is down.' } as unknown as Reply
    expect((await compact(none, { reply: failed })).result).toEqual(failed)
  })

  it('needs a key, and can be stopped before it begins', async () => {
    const keyless = await compact(() => undefined, { key: null })
    expect(keyless.result).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('s1 has no session key'),
    })
    expect(keyless.asked).toEqual([])
    const stopped = await compact(() => undefined, { signal: AbortSignal.abort() })
    expect(stopped.result).toEqual({ kind: 'stopped' })
    expect(stopped.asked).toEqual([])
  })
})
