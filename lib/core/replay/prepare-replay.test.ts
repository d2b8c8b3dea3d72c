import { describe, expect, it } from 'vitest'
import { prepareSession } from '../../engine/replay/prepare-session'
import { checkpointRecord, openaiAnswer, summaryRecord } from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession } from '../../testing/memory-session'
import { CHUNK_FLAGS, NEED_KINDS, NEVER, REPLAY_KINDS, type ReplaySession } from './replay-session'

/** Tests name chunks by kind, needs by what they are of. */
function kindsOf({ chunks }: ReplaySession): string[] {
  return Array.from(chunks.kind, (kind) => REPLAY_KINDS[kind] ?? '?')
}

function needsOf({ needs, spans }: ReplaySession) {
  return Array.from({ length: needs.count }, (_, n) => ({
    at: needs.at[n],
    text: spans.texts[needs.span[n] ?? -1],
    kind: NEED_KINDS[needs.kind[n] ?? -1],
    sources: Array.from(needs.source.subarray(needs.offset[n], needs.offset[n + 1])),
    weight: Number((needs.weight[n] ?? 0).toFixed(3)),
  }))
}

async function prepared(session: TranscriptBuilder): Promise<ReplaySession> {
  const { reader, store, transcript } = await memorySession(session.text())
  return prepareSession(reader, store, transcript)
}

function call(session: TranscriptBuilder, id: string, name: string, args: object, text = ''): void {
  const said = text === '' ? [] : [{ type: 'text', text }]
  session.message({
    role: 'assistant',
    content: [...said, { type: 'toolCall', id, name, arguments: args }],
    model: 'claude-sonnet-4-5',
    provider: 'anthropic',
    stopReason: 'toolUse',
  })
}

describe('L2 what is needed of a session', () => {
  it('is what a call writes that was in chunks before it, arguments at full weight and prose at half', async () => {
    const session = new TranscriptBuilder()
    session.user('look at src/a/first.ts')
    call(session, 'c1', 'read', { path: 'src/a/first.ts' }, 'I read src/a/first.ts and src/own/made-up.ts')
    session.result('c1', 'see src/b/second.ts')
    session.assistant('It is in src/b/second.ts')
    const replay = await prepared(session)
    expect(kindsOf(replay)).toEqual(['user', 'prose', 'call', 'result', 'prose'])
    expect(needsOf(replay)).toEqual([
      { at: 0, text: 'src/a/first.ts', kind: 'path', sources: [0], weight: 0.8 },
      { at: 1, text: 'src/b/second.ts', kind: 'path', sources: [3], weight: 0.4 },
    ])
    expect(Array.from(replay.chunks.born)).toEqual([0, 1, 1, 1, 2])
    expect(Array.from(replay.chunks.group)).toEqual([0, 1, 2, 2, 3])
  })

  it('is no credential: what is kept of a session, and shown as evidence, holds none', async () => {
    const secret = 'ghp_Zk3vQ9xT7bN2mL5pR8sW1yC4dF6gH0jKa1B2'
    const session = new TranscriptBuilder()
    session.user(`the token is ${secret}, the repo is src/a/first.ts`)
    call(session, 'c1', 'exec', { command: `curl -H ${secret} src/a/first.ts` })
    const replay = await prepared(session)
    expect(needsOf(replay).map(({ text }) => text)).toEqual(['src/a/first.ts'])
    expect(replay.spans.texts.join(' ')).not.toContain(secret)
  })

  it('is the same path whether it is named from the root or from the folder that is worked in', async () => {
    const session = new TranscriptBuilder({ cwd: '/w/project' })
    session.user('see /w/project/src/deep/file.ts')
    call(session, 'c1', 'read', { path: './src/deep/file.ts' })
    const replay = await prepared(session)
    expect(needsOf(replay).map(({ text }) => text)).toEqual(['src/deep/file.ts'])
  })

  it('can be had from any path that it is a folder of, or the last part', async () => {
    const session = new TranscriptBuilder()
    session.user('look into src/deep/folder for thing.tsx')
    call(session, 'c1', 'exec', { command: 'ls' })
    session.result('c1', 'src/deep/folder/thing.tsx')
    call(session, 'c2', 'exec', { command: 'cd src/deep/folder && cat thing.tsx' })
    expect(needsOf(await prepared(session)).map(({ text, sources }) => [text, sources])).toEqual([
      ['src/deep/folder', [0, 2]],
      ['thing.tsx', [0, 2]],
    ])
  })

  it('is no limit out of the head, no half of a quotation, and not the folder that is worked in', async () => {
    const session = new TranscriptBuilder({ cwd: '/w/project' })
    const words = 'timeout 600000, path /w/project, print("a-1 b", 7, "c-2 d") and `import numpy as np2`'
    session.user(words)
    call(session, 'c1', 'exec', { command: words })
    expect(needsOf(await prepared(session)).filter(({ kind }) => kind !== 'copy')).toEqual([])
  })

  it('is nothing that tools are called or that every program has', async () => {
    const session = new TranscriptBuilder()
    session.user('use read_file_now with console.log and file_path_of')
    call(session, 'c1', 'read_file_now', { file_path_of: 'console.log read_file_now file_path_of' })
    expect(needsOf(await prepared(session))).toEqual([])
  })

  it('weighs half when nearly every message has it', async () => {
    const session = new TranscriptBuilder()
    for (const word of ['one', 'two', 'three', 'four', 'five', 'six'])
      session.user(`${word} of src/common/thing.ts`)
    call(session, 'c1', 'read', { path: 'src/common/thing.ts' })
    const [need] = needsOf(await prepared(session))
    expect(need).toMatchObject({ weight: 0.4, sources: [0, 1, 2, 3, 4, 5] })
  })

  it('names its twelve latest sources, oldest first', async () => {
    const session = new TranscriptBuilder()
    for (let i = 0; i < 15; i++) session.user(`see src/common/thing.ts at ${i}`)
    for (let i = 0; i < 60; i++) session.user('something else')
    call(session, 'c1', 'read', { path: 'src/common/thing.ts' })
    expect(needsOf(await prepared(session))[0]?.sources).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
  })
})

describe('L2 what does not count as needed', () => {
  it('is what a summary said first, and what was not shown since a compaction', async () => {
    const session = new TranscriptBuilder()
    session.user('work on src/shown/summary.ts and src/not/shown.ts')
    session.assistant('yes')
    const kept = session.user('go on')
    session.compaction('the work is on src/shown/summary.ts', kept)
    call(session, 'c1', 'read', { path: 'src/shown/summary.ts' })
    session.result('c1', 'done')
    call(session, 'c2', 'read', { path: 'src/not/shown.ts' })
    const replay = await prepared(session)
    expect(needsOf(replay)).toEqual([])
    expect(replay.excluded).toMatchObject({ quoted: 0.8, unseen: 0.8, encrypted: 0 })
    expect(replay.compactions).toMatchObject([{ before: 1, firstKept: 2, kept: [], encrypted: false }])
  })

  it('is a need again once a tool has shown it', async () => {
    const session = new TranscriptBuilder()
    session.user('work on src/shown/summary.ts')
    session.assistant('yes')
    const kept = session.user('go on')
    session.compaction('the work is on src/shown/summary.ts', kept)
    call(session, 'c1', 'exec', { command: 'ls' })
    session.result('c1', 'src/shown/summary.ts')
    call(session, 'c2', 'read', { path: 'src/shown/summary.ts' })
    const replay = await prepared(session)
    expect(needsOf(replay)).toMatchObject([{ at: 2, sources: [0, 4] }])
    expect(replay.compactions[0]?.holds).toEqual([0])
  })

  it('is what a runtime puts there again after a compaction, which is marked', async () => {
    const session = new TranscriptBuilder()
    session.user('start')
    session.assistant('yes')
    const kept = session.user('go on')
    session.compaction('nothing', kept)
    session.entry('custom_message', {
      customType: 'files',
      content: 'src/again/read.ts is here',
      display: true,
    })
    call(session, 'c1', 'read', { path: 'src/again/read.ts' })
    const replay = await prepared(session)
    expect(replay.excluded.reread).toBeCloseTo(0.8)
    expect(Array.from(replay.chunks.flags, (flags) => flags & CHUNK_FLAGS.reread)).toEqual([0, 0, 0, 8, 0])
  })

  it('is what came before a compaction that the provider keeps encrypted, unless it was shown since', async () => {
    const session = new TranscriptBuilder()
    session.user('see src/before/hidden.ts and src/before/shown.ts')
    session.assistant('compacted on the way', openaiAnswer(checkpointRecord({ replayIndex: 0 })))
    session.user('go on with src/before/shown.ts')
    call(session, 'c1', 'exec', { command: 'cat src/before/hidden.ts src/before/shown.ts' })
    const replay = await prepared(session)
    expect(replay.excluded).toMatchObject({ encrypted: 0.8, unseen: 0, quoted: 0 })
    expect(needsOf(replay).map(({ text, sources }) => [text, sources])).toEqual([
      ['src/before/shown.ts', [0, 2]],
    ])
    expect(replay.compactions).toMatchObject([{ before: 1, firstKept: 1, encrypted: true, holds: [] }])
  })

  it('is what a provider said in a summary that can be read', async () => {
    const session = new TranscriptBuilder()
    session.user('see src/before/summed.ts')
    const providerReplay = summaryRecord('It is about src/before/summed.ts.')
    session.assistant('compacted on the way', { fields: { api: 'anthropic-messages', providerReplay } })
    session.user('go on')
    call(session, 'c1', 'exec', { command: 'cat src/before/summed.ts' })
    const replay = await prepared(session)
    expect(replay.excluded).toMatchObject({ quoted: 0.8, encrypted: 0 })
    expect(replay.compactions).toMatchObject([{ encrypted: false }])
  })

  it('is what only a prompt says that comes again and again', async () => {
    const session = new TranscriptBuilder()
    for (let i = 0; i < 3; i++) {
      session.user(`${i}: read docs/beat/list.md if it is there`)
      session.assistant('nothing to do')
    }
    session.user('4: read docs/beat/list.md if it is there')
    call(session, 'c1', 'read', { path: 'docs/beat/list.md' })
    const replay = await prepared(session)
    expect(needsOf(replay)).toEqual([])
    expect(replay.excluded.repeated).toBeGreaterThan(0)
  })
})

describe('L2 how often a match is a need', () => {
  it('shows after a compaction: in what is written again, and whether it was looked up before', async () => {
    const session = new TranscriptBuilder()
    session.user('work on src/one/looked-up.ts, src/two/from-nowhere.ts, src/three/kept.ts')
    session.assistant('yes')
    const kept = session.user('src/three/kept.ts it is, and src/four/summed.ts')
    session.compaction('on with src/four/summed.ts', kept)
    call(session, 'c1', 'exec', {
      command: 'cat src/two/from-nowhere.ts src/three/kept.ts src/four/summed.ts',
    })
    session.result('c1', 'src/one/looked-up.ts')
    call(session, 'c2', 'read', { path: 'src/one/looked-up.ts' })
    call(session, 'c3', 'read', { path: 'src/two/from-nowhere.ts' })
    const { writtenAgain } = await prepared(session)
    const path = NEED_KINDS.indexOf('path')
    expect([writtenAgain.shown[path], writtenAgain.unseen[path]]).toEqual([1, 1])
  })
})

describe('L2 copies and rules', () => {
  it('are needed: what an argument copies from an earlier result', async () => {
    const session = new TranscriptBuilder()
    const passage = Array.from({ length: 60 }, (_, i) => `apple${i}x`).join(' ')
    session.user('go')
    call(session, 'c1', 'exec', { command: 'cat notes' })
    session.result('c1', passage)
    call(session, 'c2', 'write', { path: 'b', content: passage })
    const [copy] = needsOf(await prepared(session)).filter(({ kind }) => kind === 'copy')
    expect(copy).toMatchObject({ at: 1, sources: [2], weight: 1.2 })
    expect(passage).toContain(copy?.text)
  })

  it('are needed up to the last call: what a user never wants, and what a file of rules says', async () => {
    const session = new TranscriptBuilder()
    session.user('Never push to the main branch without asking.')
    call(session, 'c1', 'read', { path: '/w/AGENTS.md' })
    session.result('c1', '# Style\n- Prefer small functions over long comments')
    session.assistant('I see.')
    session.user('Go on.')
    session.assistant('Done.')
    session.user('You must never touch the lock file either.')
    const rules = needsOf(await prepared(session)).filter(({ kind }) => kind === 'rule')
    expect(rules).toEqual([
      { at: 2, kind: 'rule', sources: [0], weight: 1, text: 'Never push to the main branch without asking.' },
      { at: 2, kind: 'rule', sources: [2], weight: 1, text: 'Prefer small functions over long comments' },
    ])
  })
})

describe('L3 chunks', () => {
  it('are blocks of lines of a result, which make up its text', async () => {
    const session = new TranscriptBuilder()
    session.user('list')
    call(session, 'c1', 'exec', { command: 'ls' })
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i} of the listing`).join('\n')
    session.result('c1', lines)
    session.assistant('done')
    const { chunks } = await prepared(session)
    const blocks = Array.from(chunks.kind).flatMap((kind, i) => (REPLAY_KINDS[kind] === 'result' ? [i] : []))
    expect(blocks.length).toBeGreaterThan(3)
    expect(blocks.map((i) => chunks.block[i])).toEqual(blocks.map((_, place) => place))
    expect(blocks.map((i) => lines.slice(chunks.from[i], chunks.to[i])).join('')).toBe(lines)
    expect(new Set(blocks.map((i) => chunks.group[i])).size).toBe(1)
  })

  it('are marked where their call failed or says where to find them again', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    call(session, 'c1', 'exec', { command: 'make' })
    session.result('c1', 'broken', {})
    session.message({ role: 'toolResult', toolCallId: 'none', content: 'x', isError: true })
    call(session, 'c2', 'think', { about: 'it' })
    session.message({ role: 'toolResult', toolCallId: 'c2', toolName: 'think', content: 'x', isError: true })
    const { chunks } = await prepared(session)
    const { locator, error } = CHUNK_FLAGS
    expect(Array.from(chunks.flags)).toEqual([0, locator, locator, 0, error])
  })

  it('are repeated once the same call was answered again', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    for (const [id, command] of [
      ['c1', 'ls'],
      ['c2', 'pwd'],
      ['c3', 'ls'],
    ]) {
      call(session, id ?? '', 'exec', { command })
      session.result(id ?? '', `result of ${id}`)
    }
    const { chunks } = await prepared(session)
    const repeated = Array.from(chunks.repeated, (at) => (at === NEVER ? null : at))
    expect(repeated).toEqual([null, null, 3, null, null, null, null])
  })

  it('are charged what the runtime charges for their entry, to the token', async () => {
    const session = new TranscriptBuilder()
    session.user('list')
    call(session, 'c1', 'exec', { command: 'ls' }, 'Let me look.')
    session.result('c1', Array.from({ length: 300 }, (_, i) => `line ${i} of the listing`).join('\n'))
    const { reader, store, transcript, session: read } = await memorySession(session.text())
    const { chunks } = await prepareSession(reader, store, transcript)
    const charged = new Map<number, number>()
    for (const [i, entry] of chunks.entry.entries())
      charged.set(entry, (charged.get(entry) ?? 0) + (chunks.size[i] ?? 0))
    expect([...charged]).toEqual(
      read.facts.flatMap(({ seq, size }) => (size === undefined || size === 0 ? [] : [[seq, size]])),
    )
  })

  it('of calls keep what is left when their long arguments were cleared', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    call(session, 'c1', 'write', { path: 'a.txt', content: 'many words '.repeat(200) })
    call(session, 'c2', 'exec', { command: 'ls' })
    const { chunks } = await prepared(session)
    expect(chunks.cleared[1]).toBeLessThan((chunks.tokens[1] ?? 0) / 5)
    expect(chunks.cleared[2]).toBe(chunks.tokens[2])
  })

  it('are out of date once their file is read again or written', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    const use = (id: string, name: string, args: object) => {
      call(session, id, name, args)
      session.result(id, `result of ${id}`)
    }
    use('c1', 'read', { path: 'a/file.ts' })
    use('c2', 'read', { path: 'a/file.ts', offset: 10 })
    use('c3', 'read', { path: './a/file.ts' })
    use('c4', 'edit', { path: 'a/file.ts', old: 'x' })
    use('c5', 'write', { path: 'a/file.ts', content: 'new' })
    const { chunks } = await prepared(session)
    const old = Array.from(chunks.superseded, (at) => (at === NEVER ? null : at))
    expect(old).toEqual([null, null, 3, null, 3, null, 5, 5, null, null, null])
  })
})
