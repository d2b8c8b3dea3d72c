import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../transcript/json'
import type { RepairRules } from './content-flaws'
import { readRepairDraft } from './read-draft'
import { MISSING_RESULT_TEXT } from './synthetic-result'

const PLACE = { bytes: 10, ordinal: 3 }

function read(raw: JsonObject, rules: RepairRules = 'late') {
  return readRepairDraft(raw, { line: 4 }, PLACE, rules, JSON.stringify(raw).length)
}
const message = (fields: JsonObject, over: JsonObject = {}) =>
  read({ type: 'message', id: 'a', parentId: 'b', message: fields, ...over })

describe('M10 what an entry says of itself', () => {
  it('its place, its ids, and whether a parent is written', () => {
    const { entry, dropped } = read({ type: 'custom', id: 'a', parentId: 'b' })
    expect(dropped).toBeNull()
    expect(entry).toMatchObject({
      type: 'custom',
      line: 4,
      bytes: 10,
      ordinal: 3,
      id: 'a',
      parentId: 'b',
      parentless: false,
    })
    expect(entry.isLine).toBe(true)
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['null is a beginning', { parentId: null }, { parentId: null, parentless: false }],
    ['nothing is no parent', {}, { parentId: null, parentless: true }],
    ['neither is an empty name', { parentId: '' }, { parentId: null, parentless: true }],
    ['nor a number', { parentId: 7 }, { parentId: null, parentless: true }],
  ])('parents: %s', (_what, fields, expected) => {
    expect(read({ type: 'custom', id: 'a', ...fields }).entry).toMatchObject(expected)
  })

  it('an id that is no text is none', () => {
    expect(read({ type: 'custom', id: 7 }).entry.id).toBeNull()
    expect(read({ type: 'custom', id: '' }).entry.id).toBeNull()
  })

  it('only the side of a conversation is beside it', () => {
    expect(read({ type: 'custom', appendMode: 'side' }).entry.side).toBe(true)
    expect(read({ type: 'custom', appendMode: 'main' }).entry.side).toBeUndefined()
    expect(read({ type: 'custom' }).entry.side).toBeUndefined()
  })

  it('a type that is not known is kept with its name; the names of our own two kinds are not known', () => {
    for (const type of ['from-tomorrow', 'unknown', 'unreadable'])
      expect(read({ type, id: 'a' })).toMatchObject({
        dropped: null,
        entry: { type: 'unknown', rawType: type, id: 'a' },
      })
    expect(read({ type: 'label', id: 'a' }).entry.rawType).toBeUndefined()
  })

  it('an object without a type is no entry', () => {
    expect(read({ id: 'a' })).toMatchObject({ dropped: 'not-an-entry', entry: { type: 'unknown', id: 'a' } })
    expect(read({ type: 7 }).dropped).toBe('not-an-entry')
    expect(read({}).entry.rawType).toBeUndefined()
  })

  it('only long JSON is looked through for nesting that is too deep', () => {
    const deep = JSON.parse(`{"type":"custom","data":${'['.repeat(1200)}${']'.repeat(1200)}}`)
    expect(readRepairDraft(deep, { line: 1 }, PLACE, 'late', 2001).dropped).toBe('too-deep')
    expect(readRepairDraft(deep, { line: 1 }, PLACE, 'late', 2000).dropped).toBeNull()
    expect(readRepairDraft({ type: 'custom' }, { line: 1 }, PLACE, 'late', 2001).dropped).toBeNull()
  })

  it('a header has no id of an entry, but that of its session and a version', () => {
    expect(read({ type: 'session', id: 's', version: 3 }).entry).toMatchObject({
      id: null,
      header: { version: 3, sessionId: 's' },
    })
    expect(read({ type: 'session', version: '3' }).entry.header).toEqual({ version: 1, sessionId: '' })
    expect(read({ type: 'custom', id: 's', version: 3 }).entry.header).toBeUndefined()
  })

  it('boundaries name what they keep; a compaction is a message, a reset is none', () => {
    const fields = { id: 'a', firstKeptEntryId: 'k', firstKeptEntryIndex: 2 }
    expect(read({ type: 'compaction', ...fields }).entry).toMatchObject({
      firstKeptEntryId: 'k',
      firstKeptIndex: 2,
      role: 'compactionSummary',
    })
    const { entry } = read({ type: 'reset', ...fields })
    expect(entry).toMatchObject({ firstKeptEntryId: 'k', firstKeptIndex: 2 })
    expect(entry.role).toBeUndefined()
    expect(read({ type: 'custom', ...fields }).entry.firstKeptEntryId).toBeUndefined()
  })

  it('a branch summary without words is blank', () => {
    expect(read({ type: 'branch_summary', summary: 'x' }).entry).toMatchObject({ role: 'branchSummary' })
    expect(read({ type: 'branch_summary', summary: 'x' }).entry.blank).toBeUndefined()
    for (const summary of [' \n', '', undefined])
      expect(read({ type: 'branch_summary', summary }).entry.blank).toBe(true)
  })

  it('a jump leads to an entry, or to the beginning', () => {
    expect(read({ type: 'leaf', targetId: 't' }).entry.targetId).toBe('t')
    expect(read({ type: 'leaf' }).entry.targetId).toBeNull()
    expect(read({ type: 'custom', targetId: 't' }).entry.targetId).toBeUndefined()
  })

  it('a custom message has the role of one, under its new and its old name', () => {
    expect(read({ type: 'custom_message', content: 'c' })).toMatchObject({
      dropped: null,
      entry: { role: 'custom' },
    })
    expect(message({ role: 'hookMessage', content: 'c' }).entry.role).toBe('custom')
  })
})

describe('M10 what a message says', () => {
  it.each<[unknown]>([
    [undefined],
    ['text'],
    [[]],
    [{ content: 'c' }],
    [{ role: null }],
    [{ role: ' ' }],
    [{ role: '' }],
  ])('without a role it cannot stay: %j', (fields) => {
    expect(message(fields as JsonObject).dropped).toBe('no-role')
  })

  it('who answered, and why it ended', () => {
    const { entry } = message({
      role: 'assistant',
      provider: 'anthropic',
      api: 'anthropic-messages',
      stopReason: 'stop',
      content: [],
    })
    expect(entry).toMatchObject({
      role: 'assistant',
      provider: 'anthropic',
      api: 'anthropic-messages',
      stopReason: 'stop',
    })
    expect(entry.calls).toBeUndefined()
    expect(entry.stamp).toBeNull()
  })

  it.each([
    ['openclaw', 'delivery-mirror', true],
    ['openclaw', 'gateway-injected', true],
    ['openclaw', 'gpt', undefined],
    ['anthropic', 'delivery-mirror', undefined],
  ])('a row for the reader: %s/%s → %s', (provider, model, expected) => {
    expect(message({ role: 'assistant', provider, model, content: 'x' }).entry.transcriptOnly).toBe(expected)
    expect(message({ role: 'user', provider, model, content: 'x' }).entry.transcriptOnly).toBeUndefined()
  })

  it('a command that the user ran may be left out of the context; nothing else can', () => {
    const run = { role: 'bashExecution', command: 'ls' }
    expect(message({ ...run, excludeFromContext: true }).entry.excluded).toBe(true)
    expect(message({ ...run, excludeFromContext: 'yes' }).entry.excluded).toBeUndefined()
    expect(message({ role: 'user', content: 'x', excludeFromContext: true }).entry.excluded).toBeUndefined()
  })

  it('calls come with the time of the entry, else with that of the message', () => {
    const fields = {
      role: 'assistant',
      timestamp: 7,
      content: [{ type: 'toolCall', id: 'c', name: 'ls', arguments: {} }],
    }
    expect(message(fields, { timestamp: '2026-11-01T08:00:00.000Z' }).entry).toMatchObject({
      calls: [{ id: 'c', name: 'ls' }],
      stamp: '2026-11-01T08:00:00.000Z',
      at: Date.UTC(2026, 10, 1, 8),
    })
    expect(message(fields).entry).toMatchObject({ stamp: 7, at: 7 })
    expect(message({ ...fields, timestamp: 9e15 }).entry.at).toBeNull()
    expect(message({ ...fields, timestamp: 8.64e15 }).entry.at).toBe(8.64e15)
    expect(message({ ...fields, timestamp: 'soon' }).entry.at).toBeNull()
    expect(message({ ...fields, timestamp: { at: 7 } }).entry.at).toBeNull()
    expect(message({ ...fields, timestamp: ['2026-11-01'] }).entry.at).toBeNull()
  })

  it('of a message with flaws the edits are kept; one of which nothing is left cannot stay, and shows its flaw', () => {
    const flawed = message({ role: 'user', content: [null, { type: 'text', text: 'hi' }] })
    expect(flawed.dropped).toBeNull()
    expect(flawed.entry.flaws).toEqual(['broken-block'])
    expect(flawed.entry.changes()).toEqual([{ remove: ['message', 'content', 0] }])
    expect([flawed.entry.calls, flawed.entry.stamp]).toEqual([undefined, null])
    const empty = message({ role: 'assistant', content: [{ type: 'toolCall', id: 'c' }] })
    expect(empty.dropped).toBe('incomplete-call')
    expect(empty.entry.flaws).toEqual(['incomplete-call'])
    expect(empty.entry.changes()).toEqual([])
    const sound = message({ role: 'user', content: 'hi' })
    expect(sound.entry.flaws).toEqual([])
    expect(sound.entry.changes()).toEqual([])
  })

  it('the rules of the generation decide about calls', () => {
    const fields = { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'a.b', arguments: {} }] }
    const raw = { type: 'message', id: 'a', parentId: null, message: fields }
    expect(read(raw, 'late').dropped).toBeNull()
    expect(read(raw, 'early').dropped).toBe('incomplete-call')
  })

  it('a checkpoint of the provider is known, and why one cannot be used', () => {
    const replay = {
      type: 'anthropic-compaction',
      provider: 'anthropic',
      api: 'anthropic-messages',
      model: 'm',
      block: { type: 'compaction', content: 'so far' },
    }
    const base = { provider: 'anthropic', api: 'anthropic-messages', model: 'm', content: 'x' }
    const carrying = message({ role: 'assistant', ...base, providerReplay: replay }).entry
    expect(carrying.checkpointed).toBe(true)
    expect(message({ role: 'assistant', ...base }).entry.checkpointed).toBe(false)
    expect(message({ role: 'assistant', ...base }).entry.unusable).toBeUndefined()
    expect(message({ role: 'user', content: 'x', providerReplay: replay }).entry.unusable).toBe(
      'one is on a message of role user',
    )
    expect(message({ role: 'user', content: 'x' }).entry.unusable).toBeUndefined()
    expect(carrying.unusable).toBe('its version is not 1')
    const foreign = message({ role: 'assistant', ...base, providerReplay: 7 }).entry
    expect([foreign.checkpointed, foreign.unusable]).toEqual([false, 'it is not an object'])
  })
})

describe('M12 what a result says', () => {
  const result = (fields: JsonObject = {}) => message({ role: 'toolResult', content: [], ...fields }).entry

  it('which call it answers, under any of the names, and of which tool', () => {
    expect(result({ toolCallId: 'c', toolUseId: 'd', toolName: 'ls' })).toMatchObject({
      resultFor: 'c',
      toolName: 'ls',
    })
    expect(result({ toolUseId: 'd' }).resultFor).toBe('d')
    expect(result().resultFor).toBeUndefined()
    expect(result().toolName).toBeUndefined()
    expect(message({ role: 'user', content: 'x', toolCallId: 'c' }).entry.resultFor).toBeUndefined()
  })

  const saying = (text: string) => [{ type: 'text', text }]
  it.each<[string, JsonObject, boolean]>([
    ['by its words', { isError: true, content: saying(MISSING_RESULT_TEXT) }, true],
    ['by its details', { isError: true, details: { openclawSyntheticMissingToolResult: true } }, true],
    ['other details', { isError: true, details: { openclawSyntheticMissingToolResult: 'yes' } }, false],
    ['details that are no object', { isError: true, details: null, content: saying('x') }, false],
    ['other words', { isError: true, content: saying('x') }, false],
    [
      'the words not first',
      { isError: true, content: [...saying('x'), ...saying(MISSING_RESULT_TEXT)] },
      false,
    ],
    ['the words, and no failure', { content: saying(MISSING_RESULT_TEXT) }, false],
    ['the words as content itself', { isError: true, content: MISSING_RESULT_TEXT }, false],
    ['no content', { isError: true, content: [null] }, false],
  ])('whether it only takes the place of one: %s', (_what, fields, expected) => {
    expect(result(fields).synthetic).toBe(expected)
    expect(message({ role: 'user', ...fields }).entry.synthetic).toBe(false)
  })
})
