import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import { chunksOfSession } from './trial-session'

async function chunksOf(session: TranscriptBuilder) {
  const { reader, session: read } = await memorySession(session.text())
  return chunksOfSession(reader, read)
}

describe('W4 the chunks that trials are reckoned with', () => {
  it('are all messages of the way to the leaf, as if nothing had been compacted', async () => {
    const session = new TranscriptBuilder()
    session.user('first')
    session.assistant('one')
    session.compaction('what was before', 'e2')
    session.entry('custom_message', { customType: 'note', content: 'a note', display: true })
    session.user('elsewhere', { parentId: 'e2' })
    session.user('second', { parentId: 'e4' })
    const { chunks, passedOver } = await chunksOf(session)
    expect(chunks.map(({ text }) => text)).toEqual(['first', 'one', 'a note', 'second'])
    expect(chunks.every(({ tokens }) => tokens > 0)).toBe(true)
    expect(passedOver).toBe(0)
  })

  it('are none of messages that cannot be read', async () => {
    const session = new TranscriptBuilder()
    session.user('first')
    session.user('second')
    const { reader, session: read } = await memorySession(session.text())
    const source: typeof reader.source = async (store, transcript, fact) =>
      fact.seq === 1 ? '{"torn' : reader.source(store, transcript, fact)
    const { chunks } = await chunksOfSession({ ...reader, source }, read)
    expect(chunks.map(({ text }) => text)).toEqual(['second'])
  })

  it('are none of a session that was begun and not used', async () => {
    expect(await chunksOf(new TranscriptBuilder())).toEqual({ chunks: [], passedOver: 0 })
  })

  it('are the newest four thousand of a longer session, and it is said how many are not', async () => {
    const session = new TranscriptBuilder()
    for (let i = 0; i < 4_003; i++) session.user(`ask ${i}`)
    const { chunks, passedOver } = await chunksOf(session)
    expect([chunks.length, passedOver, chunks[0]?.text]).toEqual([4_000, 3, 'ask 3'])
  })
})
