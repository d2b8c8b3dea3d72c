import { describe, expect, it } from 'vitest'
import type { FrameSetup } from '../../../core/tokens/build-frame'
import type { EntryFact } from '../../../core/transcript/entry'
import { SessionFold } from '../../../core/transcript/fold/fold'
import { frameSetupOf } from '../../../engine/read/frame-setup'
import { ClaudeCodeBuilder } from '../../../testing/builders/foreign-lines'
import { readAll } from '../../../testing/store-folder'
import { foreignStore, readTranslatedSession, sentTo } from '../../../testing/translated-session'
import { createStoreReader } from '../../stores/store-reader'

const TEXT = (text: string) => ({ type: 'text', text })
const CALL = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: 'a.txt' } })
const LONG = 'a longer answer with many words '.repeat(40)

const read = (lines: ClaudeCodeBuilder) => readTranslatedSession('claude-code', lines.text())

/** A question, a call with its result, and an answer: two calls. @returns ids of the lines */
function conversation(lines: ClaudeCodeBuilder): string[] {
  return [
    lines.user('Look at the file', { parentUuid: null }),
    lines.answer('m1', TEXT('I look.'), { input: 5, read: 900, write: 95, output: 60 }),
    lines.answer('m1', CALL('t1'), { input: 5, read: 900, write: 95, output: 60 }),
    lines.result('t1', 'content'),
    lines.answer('m2', TEXT('It is empty.'), { input: 3, read: 1000, write: 120, output: 12 }),
  ]
}

const SENT = [
  'user: Look at the file',
  'assistant: I look.',
  'assistant: Read {"path":"a.txt"}',
  'toolResult: content',
  'assistant: It is empty.',
]
const USED = { calls: 2, input: 8, cacheRead: 1900, cacheWrite: 215, output: 72 }

describe('what a file of Claude Code holds once more', () => {
  it('under other ids is in the context, and its calls, tools and tokens were counted', async () => {
    const lines = new ClaudeCodeBuilder()
    conversation(lines)
    const once = await read(lines)
    conversation(lines)
    const twice = await read(lines)
    expect(once.totals).toMatchObject(USED)
    expect(twice.totals).toMatchObject(USED)
    expect(twice.totals.tools).toEqual(once.totals.tools)
    expect(sentTo(twice, 'next')).toEqual(SENT)
    expect(twice.next.total).toEqual(once.next.total)
    lines.user('And now?')
    lines.answer('m3', TEXT('Nothing.'), { input: 4, read: 1150, write: 10, output: 7 })
    const later = await read(lines)
    expect(later.totals).toMatchObject({ calls: 3, input: 12, output: 79 })
    expect(sentTo(later, 3)).toEqual([...SENT, 'user: And now?'])
    expect(later.frames[2]?.total).toMatchObject({ basis: 'measured', value: 1164 })
  })

  it('a late record of an earlier response is no call', async () => {
    const lines = new ClaudeCodeBuilder()
    const [, , asked] = conversation(lines)
    lines.answer(
      'm1',
      TEXT('I had a look.'),
      { input: 5, read: 900, write: 95, output: 60 },
      { parentUuid: asked },
    )
    expect((await read(lines)).totals).toMatchObject(USED)
  })

  it('in other words under its id counts as it is said last, as the client reads it', async () => {
    const lines = new ClaudeCodeBuilder()
    const asked = lines.user('Frist question')
    lines.user('First question', { uuid: asked, parentUuid: null })
    const said = lines.answer('m1', TEXT('Yes'), { input: 500, output: 2 }, { parentUuid: asked })
    lines.answer('m1', TEXT(LONG), { input: 500, output: 300 }, { uuid: said, parentUuid: asked })
    lines.user('Next question', { parentUuid: said })
    const session = await read(lines)
    expect(session.totals).toMatchObject({ calls: 1, turns: 2, input: 500, output: 300 })
    expect(sentTo(session, 'next')).toEqual([
      'user: First question',
      `assistant: ${LONG.trim().slice(0, 157)}...`,
      'user: Next question',
    ])
    expect(session.frames[0]?.output.value).toBe(300)
    expect(session.next.total.value).toBeGreaterThanOrEqual(800)
    expect(session.next.total.value).toBeLessThan(820)
  })

  it('another response under the id of one was asked for and paid as well', async () => {
    const lines = new ClaudeCodeBuilder()
    const asked = lines.user('Question')
    const said = lines.answer('m1', TEXT('One.'), { input: 500, output: 20 }, { parentUuid: asked })
    lines.answer('m2', TEXT('Two.'), { input: 510, output: 30 }, { uuid: said, parentUuid: asked })
    const session = await read(lines)
    expect(session.totals).toMatchObject({ calls: 2, input: 1010, output: 50 })
    expect(sentTo(session, 'next')).toEqual(['user: Question', 'assistant: Two.'])
  })

  it('a rewind is no copy: what is answered there is a call', async () => {
    const lines = new ClaudeCodeBuilder()
    const ids = conversation(lines)
    lines.user('Other way', { parentUuid: ids[4] })
    lines.user('Another one', { parentUuid: ids[4] })
    lines.answer('m3', TEXT('Sure.'), { input: 1200, output: 9 })
    expect((await read(lines)).totals).toMatchObject({ calls: 3, input: 1208, output: 81 })
  })

  it('is the same in whatever pieces it comes', async () => {
    const lines = new ClaudeCodeBuilder()
    const [asked] = conversation(lines)
    conversation(lines)
    lines.user('And now?', { uuid: asked, parentUuid: null })
    lines.user('And then?')
    lines.answer('m3', TEXT('Nothing.'), { input: 4, read: 1150, write: 10, output: 7 })
    const { store } = foreignStore('claude-code', lines.text())
    const reader = createStoreReader()
    for await (const transcript of reader.list(store)) {
      const { facts } = await readAll(reader, store, transcript)
      const setup = frameSetupOf(store, transcript)
      for (let cut = 1; cut < facts.length; cut++)
        expect(inPieces(setup, facts, cut)).toEqual(inPieces(setup, facts, 0))
    }
  })
})

/** What becomes of a session whose fold was written down after so many entries. */
function inPieces(setup: FrameSetup, facts: readonly EntryFact[], cut: number) {
  let fold = SessionFold.start(setup)
  const take = (fact: EntryFact) => {
    const step = fold.push(fact)
    if (!step.needsHistory) return step
    fold = SessionFold.start(setup)
    for (const earlier of facts.slice(0, fact.seq)) fold.push(earlier)
    return fold.push(fact)
  }
  const steps = facts.map((fact, i) => {
    if (i === cut) fold = SessionFold.resume(JSON.parse(JSON.stringify(fold.snapshot())), setup)
    return take(fact)
  })
  return { steps, totals: fold.totals(), next: fold.next() }
}
