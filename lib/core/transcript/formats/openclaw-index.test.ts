import { describe, expect, it } from 'vitest'
import { storeFixture } from '../../../testing/store-folder'
import { agentOfKey, channelOfKey, readIndexEntry, readSessionIndex } from './openclaw-index'

const SESSION = '070e4043-a33e-4772-bf47-88b89b8500ab'

describe('the session index of OpenClaw (M2)', () => {
  it('is read as release 2026.7.1 writes it', () => {
    const index = readSessionIndex(JSON.parse(storeFixture('sessions-2026.7.1.json').toString()))
    const entry = index?.byKey.get('agent:main:main')
    expect(entry).toMatchObject({
      sessionId: SESSION,
      updatedAt: 1795232735956,
      provider: 'fake',
      model: 'fake-1',
      contextWindow: 64000,
      totalTokens: 41913,
      totalTokensFresh: false,
    })
    expect(entry?.report).toMatchObject({ generatedAt: 1795232732116 })
    expect(entry?.report?.files.length).toBe(6)
    expect(entry?.report?.systemPromptChars).toBeGreaterThan(entry?.report?.projectContextChars ?? Infinity)
    expect(entry?.report?.tools).toHaveLength(3)
    expect(entry?.report?.skills[0]).toEqual({ name: expect.any(String), chars: expect.any(Number) })
    expect(index?.keyOfSession.get(SESSION)).toBe('agent:main:main')
    expect(index?.keyOfFile.get(`${SESSION}.jsonl`)).toBe('agent:main:main')
  })

  it('is read as release 2026.9.6 writes it, with its budget status', () => {
    const entry = readIndexEntry(
      'agent:main:main',
      JSON.parse(storeFixture('entry-2026.9.6.json').toString()),
    )
    expect(entry?.budget).toMatchObject({
      route: 'compact_only',
      estimatedPromptTokens: 74626,
      contextTokenBudget: 64000,
    })
    expect(entry).toMatchObject({ totalTokens: 43792, totalTokensFresh: true })
  })

  it('says what the entry says, and nothing of what it leaves out', () => {
    const entry = readIndexEntry('agent:main:main', {
      ...{
        sessionId: 's',
        updatedAt: 5,
        archivedAt: 6,
        sessionFile: '/w/s.jsonl',
        label: 'L',
        displayName: 'D',
      },
      ...{
        chatType: 'direct',
        channel: 'signal',
        lastChannel: 'other',
        status: 'done',
        spawnedBy: 'agent:main:a',
      },
      ...{ agentHarnessId: 'claude-cli', modelProvider: 'p', model: 'm', contextTokens: 64000 },
      ...{ totalTokens: 9, totalTokensFresh: false, compactionCount: 2, claudeCliSessionId: 'c1' },
    })
    expect(entry).toEqual({
      ...{
        sessionId: 's',
        updatedAt: 5,
        archivedAt: 6,
        sessionFile: '/w/s.jsonl',
        label: 'L',
        displayName: 'D',
      },
      ...{ chatType: 'direct', channel: 'signal', status: 'done', spawnedBy: 'agent:main:a' },
      ...{ harness: 'claude-cli', harnessSessions: { 'claude-cli': 'c1' } },
      ...{ provider: 'p', model: 'm', contextWindow: 64000 },
      ...{
        totalTokens: 9,
        totalTokensFresh: false,
        compactionCount: 2,
        report: undefined,
        budget: undefined,
      },
    })
    for (const field of ['spawnedBy', 'harness', 'harnessSessions', 'recorded'])
      expect(readIndexEntry('agent:main:main', {})).not.toHaveProperty(field)
    expect(readIndexEntry('agent:main:main', null)).toBeNull()
  })

  it('knows the ids of the session in other harnesses, in the newest form that has one', () => {
    const of = (fields: object) => readIndexEntry('k', fields)?.harnessSessions
    const [claudeCliSessionId, cliSessionIds] = [
      'old',
      { 'claude-cli': 'newer', codex: 'x', empty: '', bad: 7 },
    ]
    const cliSessionBindings = { 'claude-cli': { sessionId: 'newest' }, codex: { sessionId: '' }, bad: 7 }
    expect(of({ claudeCliSessionId })).toEqual({ 'claude-cli': 'old' })
    expect(of({ claudeCliSessionId, cliSessionIds })).toEqual({ 'claude-cli': 'newer', codex: 'x' })
    expect(of({ claudeCliSessionId, cliSessionIds, cliSessionBindings })).toEqual({
      ...{ 'claude-cli': 'newest', codex: 'x' },
    })
    expect(of({ cliSessionIds: 4, cliSessionBindings: { bad: 7 } })).toBeUndefined()
  })

  it('knows the key of a transcript by its name, whatever separates folders', () => {
    const index = readSessionIndex({
      'agent:main:a': { sessionFile: '/w/sessions/a.jsonl' },
      'agent:main:b': { sessionFile: 'C:\\w\\b.jsonl' },
      'agent:main:c': { sessionFile: 'c.jsonl' },
    })
    expect(Object.fromEntries(index?.keyOfFile ?? [])).toEqual({
      ...{ 'a.jsonl': 'agent:main:a', 'b.jsonl': 'agent:main:b', 'c.jsonl': 'agent:main:c' },
    })
  })

  it('keeps an entry whose fields are malformed, without them', () => {
    const entry = readIndexEntry('k', {
      sessionId: 's',
      contextTokens: 'many',
      totalTokens: Number.NaN,
      totalTokensFresh: 1,
      label: '',
      systemPromptReport: { systemPrompt: 5 },
      contextBudgetStatus: [],
    })
    expect(entry?.sessionId).toBe('s')
    for (const field of [
      'contextWindow',
      'totalTokens',
      'totalTokensFresh',
      'label',
      'report',
      'budget',
    ] as const) {
      expect(entry?.[field]).toBeUndefined()
    }
  })

  it('holds why compactions were made, as far as that is well formed (X9)', () => {
    const good = { reason: 'manual', postCompaction: { entryId: 'c1' }, tokensBefore: 9 }
    const bad = [{ reason: 'whim', postCompaction: { entryId: 'c2' } }, { reason: 'manual' }, 7]
    const entry = readIndexEntry('agent:main:main', { compactionCheckpoints: [good, ...bad] })
    expect(entry?.recorded).toEqual([{ entryId: 'c1', reason: 'manual' }])
    expect(readIndexEntry('agent:main:main', {})).not.toHaveProperty('recorded')
  })

  it('a file whose injected size is unknown stays unknown', () => {
    const entry = readIndexEntry('k', {
      systemPromptReport: {
        systemPrompt: { chars: 10, projectContextChars: 4 },
        injectedWorkspaceFiles: [
          { name: 'A.md', missing: false, rawChars: 9, injectedChars: null, truncated: null },
          'not a file',
        ],
      },
    })
    expect(entry?.report).toEqual({
      generatedAt: undefined,
      systemPromptChars: 10,
      projectContextChars: 4,
      skillsChars: 0,
      toolListChars: 0,
      toolSchemaChars: 0,
      files: [
        { name: 'A.md', path: undefined, missing: false, rawChars: 9, injectedChars: null, truncated: null },
      ],
      skills: [],
      tools: [],
    })
  })

  it('a session that a key has left behind still belongs to it, unless it is the current one of another', () => {
    const index = readSessionIndex({
      'agent:main:a': { sessionId: 'now', usageFamilySessionIds: ['before', 'now', 'other'] },
      'agent:main:b': { sessionId: 'other', previousSessionId: 'older' },
      broken: 7,
    })
    expect(Object.fromEntries(index?.keyOfSession ?? [])).toEqual({
      now: 'agent:main:a',
      before: 'agent:main:a',
      other: 'agent:main:b',
      older: 'agent:main:b',
    })
    expect(index?.byKey.has('broken')).toBe(false)
    expect(readSessionIndex({ 'agent:main:new': {} })?.keyOfSession.size, 'a key without a session').toBe(0)
  })

  it.each([null, 4, 'x', []])('%j is no index', (value) => {
    expect(readSessionIndex(value)).toBeNull()
  })

  it('takes the channel from the entry, else from the key', () => {
    expect(readIndexEntry('agent:main:main', { lastChannel: 'signal' })?.channel).toBe('signal')
    const delivery = { delivery: { channel: 'd' } }
    const context = { deliveryContext: { channel: 'c' }, ...delivery }
    expect(readIndexEntry('agent:m:telegram:direct:4', delivery)?.channel).toBe('d')
    expect(readIndexEntry('agent:m:telegram:direct:4', context)?.channel).toBe('c')
    expect(readIndexEntry('agent:m:telegram:direct:4', { lastChannel: 'l', ...context })?.channel).toBe('l')
    expect(readIndexEntry('agent:m:x', { delivery: { kind: 'none' } })?.channel).toBeUndefined()
    expect(readIndexEntry('agent:m:telegram:direct:4', {})?.channel).toBe('telegram')
    expect(channelOfKey('agent:m:subagent:0a')).toBeUndefined()
    expect(channelOfKey('cron:job')).toBeUndefined()
    expect(channelOfKey('agent:m::direct:4')).toBeUndefined()
    expect(channelOfKey('task:m:telegram:direct:4')).toBeUndefined()
    expect(agentOfKey('agent:ops:main')).toBe('ops')
    expect([agentOfKey('cron:job'), agentOfKey('agent'), agentOfKey('agent::main')]).toEqual([
      null,
      null,
      null,
    ])
    expect([channelOfKey('agent:m'), channelOfKey('agent:m:telegram')]).toEqual([undefined, undefined])
  })
})
