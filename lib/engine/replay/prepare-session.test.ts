import { describe, expect, it } from 'vitest'
import { createStoreReader } from '../../adapters/stores/store-reader'
import { packReplay } from '../../core/replay/pack-replay'
import { REPLAY_KINDS } from '../../core/replay/replay-session'
import { CodexBuilder } from '../../testing/builders/foreign-lines'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import { foreignStore } from '../../testing/translated-session'
import { prepareSession } from './prepare-session'
import { preparedEntries, preparedPath } from './session-entries'

describe('L1 a session that is made ready for replay', () => {
  it('is its path to the leaf, as if nothing had been compacted', async () => {
    const session = new TranscriptBuilder({ cwd: '/home/me/project' })
    session.user('first')
    session.assistant('one', { usage: { input: 1_000, output: 5 } })
    session.compaction('what was before', 'e2')
    session.user('elsewhere', { parentId: 'e2' })
    session.user('second', { parentId: 'e3' })
    session.assistant('two')
    const { reader, store, transcript } = await memorySession(session.text())
    const replay = await prepareSession(reader, store, transcript)
    expect(replay.chunks.count).toBe(4)
    expect(replay.calls.count).toBe(2)
    expect(Array.from(replay.calls.prompt)).toEqual([1_000, -1])
    expect(replay).toMatchObject({ owner: '/home/me/project', passedOver: 0, storeId: 'store' })
    expect(replay.compactions).toMatchObject([{ before: 1, firstKept: 1 }])
  })

  it('is nothing of a session that was begun and not used, and no fault', async () => {
    const { reader, store, transcript } = await memorySession(new TranscriptBuilder().text())
    const replay = await prepareSession(reader, store, transcript)
    expect([replay.chunks.count, replay.calls.count, replay.needs.count]).toEqual([0, 0, 0])
  })

  it('of Codex has each message once, and the summary is none of them', async () => {
    const lines = new CodexBuilder()
    const message = (text: string) => ({
      ...{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    })
    lines.user('Remember src/first/ask.ts')
    lines.says('Noted.')
    lines.count(4_000, 0, 10)
    lines.user('And src/second/ask.ts')
    lines.says('Both.')
    lines.count(4_100, 0, 10)
    const summary = message('Another model said: two files are known')
    const history = [message('Remember src/first/ask.ts'), summary]
    lines.line('compacted', { message: 'two files are known', replacement_history: history })
    lines.user('What was it?')
    lines.says('src/first/ask.ts')
    const { store } = foreignStore('codex', lines.text())
    const reader = createStoreReader({ lastLine: 'take-whole' })
    for await (const transcript of reader.list(store)) {
      const { chunks, compactions, needs, excluded } = await prepareSession(reader, store, transcript)
      expect(Array.from(chunks.kind, (kind) => REPLAY_KINDS[kind])).toEqual([
        ...['user', 'prose', 'user', 'prose', 'user', 'prose'],
      ])
      expect(compactions).toMatchObject([{ before: 2, firstKept: 4, kept: [0], encrypted: false }])
      expect([needs.count, Array.from(needs.source), excluded.unseen]).toEqual([1, [0], 0])
    }
  })

  it('passes over an entry that is too large, and says so', async () => {
    const session = new TranscriptBuilder()
    session.user('huge')
    session.user('after it')
    const { reader, session: read, asked } = await memorySession(session.text())
    const facts = read.facts.map((fact) => (fact.seq === 1 ? { ...fact, bytes: 9 * 1024 * 1024 } : fact))
    const large = { ...read, facts }
    const { entries, passedOver } = preparedPath(large)
    asked.length = 0
    const messages = []
    for await (const { message } of preparedEntries(reader, large, entries))
      messages.push(message?.text ?? null)
    expect([messages, passedOver, asked]).toEqual([[null, 'after it'], 1, [2]])
  })

  it('begins late where there is too much of it, and counts what is before', async () => {
    const session = new TranscriptBuilder()
    for (let i = 0; i < 20; i++) session.user(`ask ${i}`)
    const { session: read } = await memorySession(session.text())
    const facts = read.facts.map((fact) => ({ ...fact, bytes: 5 * 1024 * 1024 }))
    const { entries, passedOver } = preparedPath({ ...read, facts })
    expect([entries.length, passedOver, entries[0]?.fact.seq]).toEqual([12, 8, 9])
  })

  it('is the same from the same lines, byte for byte', async () => {
    const session = new TranscriptBuilder()
    session.user('look at src/a/file.ts')
    session.assistant('reading src/a/file.ts', { calls: ['c1'] })
    session.result('c1', 'nothing')
    const { reader, store, transcript } = await memorySession(session.text())
    const [one, other] = [
      await prepareSession(reader, store, transcript),
      await prepareSession(reader, store, transcript),
    ]
    expect(packReplay(one)).toEqual(packReplay(other))
  })
})
