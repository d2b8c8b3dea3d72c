import { describe, expect, it } from 'vitest'
import { charsOverFour } from '../../tokens/estimate'
import { FIRST_NUMBER, type LongTexts } from './long-texts'
import { parseResult } from './parse-result'
import { readLine, readOutline, readSkeleton, unreadable } from './read-line'

const PLACE = { seq: 3, line: 4, offset: 100, bytes: 50 }
const AT = Date.UTC(2026, 10, 1, 8)
const TREE = { id: 'a', parentId: 'b', timestamp: '2026-11-01T08:00:00.000Z' }
const COMMON = { ...PLACE, id: 'a', parentId: 'b', at: AT }

const read = (entry: object) => readLine(JSON.stringify({ ...TREE, ...entry }), PLACE, charsOverFour)
const message = (inside: object) => read({ type: 'message', message: inside })

describe('X1 what an entry of each type says', () => {
  it.each<[string, object, object, string]>([
    [
      'a model that was chosen',
      { type: 'model_change', provider: 'openai', modelId: 'gpt-5', model: 'x' },
      { provider: 'openai', model: 'gpt-5', preview: 'openai/gpt-5' },
      '',
    ],
    [
      'a model under its other name, without a provider',
      { type: 'model_change', model: 'gpt-5' },
      { model: 'gpt-5', preview: 'gpt-5' },
      '',
    ],
    ['how much it thinks', { type: 'thinking_level_change', thinkingLevel: 'high' }, { preview: 'high' }, ''],
    [
      'data of an extension',
      { type: 'custom', customType: 'cache-ttl', data: { x: 1 } },
      { customType: 'cache-ttl', preview: 'cache-ttl' },
      '',
    ],
    ['a label', { type: 'label', targetId: 'e', label: 'here' }, { targetId: 'e', preview: 'here' }, ''],
    ['a label of nothing', { type: 'label' }, { targetId: null }, ''],
    ['a move of the leaf', { type: 'leaf', targetId: 'e' }, { targetId: 'e' }, ''],
    ['a move before everything', { type: 'leaf', targetId: null }, { targetId: null }, ''],
    [
      'what was used',
      { type: 'usage', responseId: 'r', model: 'gpt-5', usage: { input: 5 } },
      {
        ...{ requestId: 'r', model: 'gpt-5' },
        usage: { input: 5, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null },
      },
      '',
    ],
    ['the name of the session', { type: 'session_info', name: 'Harbour' }, { preview: 'Harbour' }, 'Harbour'],
    ['no name', { type: 'session_info' }, {}, ''],
    [
      'a branch that was left',
      { type: 'branch_summary', summary: 'long ago', fromId: 'e' },
      { role: 'branchSummary', targetId: 'e', units: { summary: 2 }, preview: 'long ago' },
      'long ago',
    ],
    [
      'a branch without words',
      { type: 'branch_summary', summary: ' ' },
      { role: 'branchSummary', targetId: null, units: { summary: 1 }, blank: true },
      ' ',
    ],
    [
      'a compaction',
      { type: 'compaction', summary: 'long ago', firstKeptEntryId: 'e', tokensBefore: 9, tokensAfter: 4 },
      {
        role: 'compactionSummary',
        firstKeptEntryId: 'e',
        tokensBefore: 9,
        tokensAfter: 4,
        units: { summary: 2 },
        preview: 'long ago',
      },
      'long ago',
    ],
    [
      'a compaction without a summary',
      { type: 'compaction', fromHook: 'yes', details: 'plimsoll' },
      { role: 'compactionSummary', units: {}, blank: true },
      '',
    ],
    [
      'a reset',
      { type: 'reset', reason: 'new day', firstKeptEntryId: 'e', summary: 'x' },
      { firstKeptEntryId: 'e', preview: 'new day' },
      '',
    ],
    [
      'injected context',
      { type: 'custom_message', customType: 'knowledge', content: 'a reef' },
      { role: 'custom', customType: 'knowledge', units: { recalled: 2 }, preview: 'a reef' },
      'a reef',
    ],
    ['an entry beside its branch', { type: 'custom', appendMode: 'side' }, { side: true }, ''],
  ])('%s', (_name, entry, expected, searchText) => {
    const found = read(entry)
    const { type } = entry as { type: string }
    expect(found.fact).toEqual({ ...COMMON, type, ...expected })
    expect(found.searchText).toBe(searchText)
  })

  it('an unknown type, and none, is kept under its name', () => {
    expect(read({ type: 'hologram' }).fact).toEqual({ ...COMMON, type: 'unknown', rawType: 'hologram' })
    expect(read({ type: 5 }).fact).toEqual({ ...COMMON, type: 'unknown', rawType: '(none)' })
    // Names of ours, which no runtime writes.
    expect(read({ type: 'unreadable' }).fact).toMatchObject({ type: 'unknown', rawType: 'unreadable' })
  })

  it('a header has its own id and no place in the tree', () => {
    const header = { type: 'session', id: 's', version: 4, cwd: '/w', parentSession: '/p' }
    expect(readLine(JSON.stringify(header), PLACE).fact).toEqual({
      ...{ ...PLACE, type: 'session', id: null, parentId: null, at: null },
      header: { version: 4, sessionId: 's', cwd: '/w', parentSession: '/p' },
    })
    const bare = readLine('{"type":"session","cwd":""}', PLACE).fact
    expect(bare.header).toEqual({ version: 1, sessionId: '' })
    expect(bare.problem).toBe('the header has no session id')
  })

  it.each<[unknown, number | null]>([
    ['2026-11-01T08:00:00.000Z', AT],
    ['2026-11-01T09:00:00+01:00', AT],
    [AT, AT],
    ['yesterday', null],
    [{ at: AT }, null],
    [null, null],
  ])('the time %j', (timestamp, at) => {
    expect(read({ type: 'custom', timestamp }).fact.at).toBe(at)
  })

  it('the time of the message counts where the entry has none', () => {
    const entry = { type: 'message', message: { role: 'user', content: 'x', timestamp: 5 } }
    expect(readLine(JSON.stringify(entry), PLACE).fact.at).toBe(5)
    expect(read(entry).fact.at).toBe(AT)
  })
})

describe('X1 what a message says', () => {
  it('of an assistant: who answered, how it ended, and its request', () => {
    const { fact } = message({
      role: 'assistant',
      content: [
        { type: 'text', text: 'go on' },
        { type: 'toolCall', id: 't', name: 'exec', arguments: {} },
      ],
      ...{ provider: 'openai', model: 'gpt-5', api: 'openai-responses', stopReason: 'error' },
      ...{ errorMessage: 'too long', responseId: 'r', usage: { input: 5, output: 1 } },
    })
    expect(fact).toEqual({
      ...{ ...COMMON, type: 'message', role: 'assistant', units: { assistant: 2, 'tool-call': 2 } },
      ...{ preview: 'go on exec {}', calls: [{ id: 't', name: 'exec' }] },
      ...{ provider: 'openai', model: 'gpt-5', api: 'openai-responses', stopReason: 'error' },
      ...{ errorMessage: 'too long', requestId: 'r' },
      usage: { input: 5, output: 1, cacheRead: 0, cacheWrite: 0, costUsd: null },
    })
  })

  it.each<[string, object, object]>([
    [
      'of a tool: which call, which tool, whether it failed',
      { role: 'toolResult', toolCallId: 't', toolName: 'exec', isError: true, content: 'no' },
      {
        role: 'toolResult',
        resultFor: 't',
        toolName: 'exec',
        isError: true,
        units: { 'tool-result': 1 },
        preview: 'no',
      },
    ],
    [
      'of a tool that did not fail',
      { role: 'toolResult', toolCallId: 't', isError: 'true', content: 'no' },
      { role: 'toolResult', resultFor: 't', units: { 'tool-result': 1 }, preview: 'no' },
    ],
    [
      'of a user, with images',
      { role: 'user', content: [{ type: 'image', data: 'AA' }] },
      { role: 'user', units: { image: 1200 }, images: 1 },
    ],
    [
      'of a summary',
      { role: 'branchSummary', content: 'x' },
      { role: 'branchSummary', units: { summary: 1 }, preview: 'x' },
    ],
    [
      'of a compaction',
      { role: 'compactionSummary', content: 'x' },
      { role: 'compactionSummary', units: { summary: 1 }, preview: 'x' },
    ],
    [
      'of an extension',
      { role: 'custom', customType: 'note', content: 'x' },
      { role: 'custom', customType: 'note', units: { other: 1 }, preview: 'x' },
    ],
    [
      'of an unknown role',
      { role: 'astrologer', customType: 'recall', content: 'x' },
      { role: 'astrologer', units: { recalled: 1 }, preview: 'x' },
    ],
    [
      'of no role',
      { content: 'x' },
      { role: '', problem: 'the message has no role', units: { other: 1 }, preview: 'x' },
    ],
    [
      'a shell command that worked',
      { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 0 },
      { role: 'bashExecution', toolName: 'bash', units: { 'tool-result': 3 }, preview: 'Ran `ls` a' },
    ],
    [
      'a shell command without an end',
      { role: 'bashExecution', excludeFromContext: 'yes' },
      { role: 'bashExecution', toolName: 'bash', units: { 'tool-result': 2 }, preview: 'Ran ``' },
    ],
    [
      'a shell command that failed, kept out',
      { role: 'bashExecution', command: 'ls', exitCode: 1, excludeFromContext: true },
      {
        role: 'bashExecution',
        toolName: 'bash',
        excluded: true,
        isError: true,
        units: { 'tool-result': 3 },
        preview: 'Ran `ls`',
      },
    ],
  ])('%s', (_name, inside, expected) => {
    expect(message(inside).fact).toEqual({ ...COMMON, type: 'message', ...expected })
  })

  it('is missing where it is no object', () => {
    expect(read({ type: 'message', message: 'x' })).toEqual({
      fact: { ...COMMON, type: 'message', problem: 'the message is missing' },
      searchText: '',
    })
  })

  it.each<[string, object, Partial<Record<'silent' | 'blank', boolean | undefined>>]>([
    ['the silent token, with white space around it', { content: ' NO_REPLY\n' }, { silent: true }],
    ['the token in a sentence', { content: 'NO_REPLY is sent' }, {}],
    [
      'the token beside a call',
      {
        content: [
          { type: 'text', text: 'NO_REPLY' },
          { type: 'toolCall', id: 't', name: '' },
        ],
      },
      {},
    ],
    ['nothing', { content: [] }, { blank: true }],
    ['a call', { content: [{ type: 'toolCall', id: 't', name: 'x' }] }, {}],
  ])('an answer of %s', (_name, inside, { silent, blank }) => {
    const { fact } = message({ role: 'assistant', ...inside })
    expect([fact.silent, fact.blank]).toEqual([silent, blank])
  })

  it('more can be searched of what is said and of what failed than of what tools print', () => {
    const content = 'x'.repeat(9_000)
    const chars = (inside: object) => message({ content, ...inside }).searchText.length
    expect([chars({ role: 'user' }), chars({ role: 'assistant' })]).toEqual([2048, 2048])
    expect([chars({ role: 'toolResult' }), chars({ role: 'toolResult', isError: true })]).toEqual([384, 1024])
    const shell = (exitCode: number) =>
      message({ role: 'bashExecution', command: '', output: content, exitCode }).searchText.length
    expect([shell(0), shell(1)]).toEqual([384, 1024])
  })
})

describe('an entry whose content is not looked at', () => {
  it('has its place, its role and who answered, and neither units nor text', () => {
    const entry = {
      ...{ ...TREE, type: 'message' },
      message: { role: 'assistant', content: 'NO_REPLY', provider: 'p', usage: { input: 5 } },
    }
    const { fact, searchText } = readOutline(JSON.stringify(entry), PLACE)
    expect(searchText).toBe('')
    expect(fact).toEqual({
      ...{ ...COMMON, type: 'message', role: 'assistant', provider: 'p' },
      usage: { input: 5, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null },
    })
    for (const type of ['custom_message', 'compaction', 'branch_summary']) {
      const outline = readOutline(JSON.stringify({ ...TREE, type, content: 'x', summary: 'x' }), PLACE)
      expect([outline.fact.units, outline.fact.preview, outline.searchText]).toEqual([
        undefined,
        undefined,
        '',
      ])
    }
    const shell = { ...TREE, type: 'message', message: { role: 'bashExecution', command: 'ls', exitCode: 1 } }
    expect(readOutline(JSON.stringify(shell), PLACE)).toEqual({
      fact: { ...COMMON, type: 'message', role: 'bashExecution', toolName: 'bash', isError: true },
      searchText: '',
    })
  })

  it('is unreadable where it is no JSON, as it is with its content', () => {
    expect(readOutline('{', PLACE).fact.type).toBe('unreadable')
    expect(readOutline('5', PLACE).fact.problem).toBe('not a JSON object but a number')
  })
})

describe('what cannot be read as an entry', () => {
  it('is kept with the reason and its beginning', () => {
    expect(unreadable(PLACE, 'too long', ' a\n b').fact).toEqual({
      ...{ ...PLACE, type: 'unreadable', id: null, parentId: null, at: null },
      ...{ problem: 'too long', preview: 'a b' },
    })
    expect(unreadable(PLACE, 'too long').fact.preview).toBe('')
  })

  it('has the place in the tree that its beginning gives it', () => {
    const beginning = { id: 'a', parentId: 'b', timestamp: TREE.timestamp, role: 'toolResult' }
    expect(unreadable(PLACE, 'too long', '', beginning)).toEqual({
      fact: { ...COMMON, type: 'unreadable', role: 'toolResult', problem: 'too long', preview: '' },
      searchText: '',
    })
  })
})

describe('an entry that is weighed', () => {
  const long = 'x'.repeat(400)
  const longTexts: LongTexts = {
    units: () => charsOverFour(long),
    length: () => long.length,
    head: (_index, length) => long.slice(0, length),
  }
  const standIn = `\u0001${String.fromCharCode(FIRST_NUMBER)}`
  const line = (text: string) =>
    JSON.stringify({ ...TREE, type: 'message', message: { role: 'user', content: text } })

  it('has its size and its mark, and its weigher the texts themselves', () => {
    const seen: unknown[] = []
    const weigh =
      (important: boolean) =>
      (_entry: object, texts: { lengthOf(text: string): number; whole(text: string): string }) => {
        seen.push([texts.lengthOf('abc'), texts.whole('abc'), texts.lengthOf(standIn), texts.whole(standIn)])
        return { size: 7, important }
      }
    const plain = readLine(line('abc'), PLACE, charsOverFour, { weigh: weigh(false) }).fact
    expect([plain.size, plain.important]).toEqual([7, undefined])
    const skeleton = readSkeleton(line(standIn), PLACE, {
      estimate: charsOverFour,
      longTexts,
      weigh: weigh(true),
    })
    expect([skeleton?.fact.size, skeleton?.fact.important, skeleton?.fact.units]).toEqual([
      7,
      true,
      { user: 100 },
    ])
    // Without texts that were taken out, what looks like a stand-in is what it is.
    expect(seen).toEqual([
      [3, 'abc', 2, standIn],
      [3, 'abc', 400, long],
    ])
  })

  it('is weighed with all that its line holds', () => {
    const details = { durationMs: 844 }
    const whole = {
      ...{ role: 'toolResult', toolCallId: 'c', toolName: 'exec', content: [{ type: 'text', text: 'x' }] },
      ...{ details, isError: false, timestamp: 1 },
    }
    const line = JSON.stringify({ type: 'message', ...TREE, message: whole })
    expect(parseResult(line)).not.toBeNull()
    const seen: unknown[] = []
    const weigh = (entry: object) => {
      seen.push(entry)
      return { size: 1, important: false }
    }
    readLine(line, PLACE, charsOverFour, { weigh })
    expect(seen).toEqual([JSON.parse(line)])
  })

  it('is not weighed unless it is asked for', () => {
    expect(readLine(line('abc'), PLACE).fact.size).toBeUndefined()
  })

  it('must be read whole where its skeleton is no entry, or a text is needed itself', () => {
    const reading = { estimate: charsOverFour, longTexts }
    expect(readSkeleton('{', PLACE, reading)).toBeNull()
    expect(readSkeleton('[]', PLACE, reading)).toBeNull()
    const needed = { ...TREE, type: 'message', message: { role: 'user', content: { text: standIn } } }
    expect(readSkeleton(JSON.stringify(needed), PLACE, reading)).toBeNull()
    const thrown = () => {
      throw new TypeError('a fault of ours')
    }
    expect(() => readSkeleton(line('abc'), PLACE, { ...reading, weigh: thrown })).toThrow(TypeError)
  })
})
