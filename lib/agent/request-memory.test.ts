import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memoryEventLog, readMemoryEvents } from '../adapters/memory/memory-event-log'
import { memoryFiles } from '../adapters/memory/memory-files'
import { historyBudget } from '../core/budget/regions'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { readPolicy } from '../core/policy/read-policy'
import { resolvePolicy } from '../core/policy/resolve'
import { parseSource } from '../core/policy/source-tree'
import { estimateUnits } from '../core/tokens/estimate'
import { RecallLibrary } from '../engine/knowledge/recall-library'
import type { WorkspaceSnapshot } from '../engine/workspace/workspace'
import { sizeOf, turnsOf } from '../testing/live-conversation'
import { temporaryFolder, writeFiles } from '../testing/store-folder'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'

const policy: Policy = {
  ...DEFAULT_POLICY,
  budget: { ...DEFAULT_POLICY.budget, enabled: true },
  semantic: { ...DEFAULT_POLICY.semantic, enabled: true },
}
const SESSION = 'agent:harbour:main'
const SNAPSHOT: WorkspaceSnapshot = { files: [], daily: [], memory: '2026-11-21.md\t1' }

function opened(
  options: {
    readonly snapshot?: WorkspaceSnapshot
    readonly policy?: Policy
    readonly turns?: number
    readonly search?: null
  } = {},
) {
  const folder = temporaryFolder()
  writeFiles(folder, { 'memory/2026-11-20.md': 'The crane controller logs to /var/log/crane.log.' })
  const { snapshot, policy: chosen = policy, turns = 0 } = options
  const held = { messages: turnsOf(turns) as readonly ContentMessage[] }
  const search = options.search === null ? null : new RecallLibrary({ places: [memoryFiles(folder)] })
  const context = new ContextManager<ContentMessage>({
    policy: chosen,
    window: 32_000,
    key: null,
    tokensOf: sizeOf,
    promptCache: snapshot === undefined ? null : { snapshot: async () => snapshot },
    recall: { search, events: memoryEventLog(folder) },
    agent: {
      session: SESSION,
      getContext: () => held.messages,
      setContext: (next) => {
        held.messages = next
      },
      form: CONTENT_FORM,
      clock: { now: () => 1_000 },
    },
  })
  const ask = (text: string) =>
    context.request({ parts: { identity: 'You help.' }, prompt: [{ role: 'user', content: text }] })
  return { folder, context, held, ask }
}

describe('what a request gets from memory', () => {
  test('G6: recall is in the system prompt, is charged once, and the budget adds up', async () => {
    const { ask } = opened()
    const { system, recalled, budget } = await ask('Where does the crane controller log to?')
    expect(system.sections.map(({ name }) => name)).toEqual(['identity', 'recall'])
    expect(system.text).toContain('<context source="memory/2026-11-20.md" score="')
    expect(recalled?.tokens).toBe(estimateUnits(recalled?.text ?? ''))
    const charged = historyBudget(32_000, policy.budget, { system: estimateUnits(system.text), bootstrap: 0 })
    expect(budget).toEqual(charged)
    const { system: without } = await opened({
      policy: { ...policy, semantic: DEFAULT_POLICY.semantic },
    }).ask('crane')
    expect(without.text).toBe('You help.')
  })

  test.each([
    '{ memorySearch: { enabled: false } }',
    '{ agents: { defaults: { memorySearch: { enabled: false } } } }',
  ])('G1: %s of the settings file: the search is not called, and that is said', async (text) => {
    const { patch, problems } = readPolicy(parseSource(text, 'openclaw.json'))
    expect(problems).toEqual([])
    const { memorySearch } = resolvePolicy([{ level: 'store', label: 'f', patch }]).policy.semantic
    const { ask } = opened({ policy: { ...policy, semantic: { ...policy.semantic, memorySearch } } })
    const { recalled, warnings } = await ask('Where does the crane controller log to?')
    expect(recalled).toMatchObject({ text: '', looked: [] })
    expect(warnings).toEqual([expect.stringContaining('the memory search is off')])
  })

  test('G6: what was recalled is noted with the prompt, and nothing recalled as well', async () => {
    const { folder, ask } = opened()
    await ask('Where does the crane controller log to?')
    await ask('Bake a cake')
    const { events } = await readMemoryEvents(folder, 10)
    expect(events).toMatchObject([
      { kind: 'recall', prompt: 'Bake a cake', placed: [], tokens: 0 },
      {
        at: 1_000,
        session: SESSION,
        kind: 'recall',
        prompt: 'Where does the crane controller log to?',
        placed: [{ source: 'memory/2026-11-20.md', cut: false }],
        budget: 960,
      },
    ])
  })

  test('G6: steps of a turn note nothing; that nothing could be looked up is no “nothing was like enough”', async () => {
    const { folder, context, ask } = opened()
    await context.request({ parts: { identity: '' }, prompt: [] })
    expect((await readMemoryEvents(folder, 10)).events).toEqual([])
    writeFileSync(join(folder, 'memory/key.md'), 'The vault key is password = swordfish99alpha')
    await ask('What is the vault key?')
    await ask('I thought token=ghp_abcdefghijklmnopqrstuvwxyz0123456789')
    const log = readFileSync(join(folder, 'events.jsonl'), 'utf8')
    expect(log).toContain('The vault key is password = ••••')
    expect(log).not.toMatch(/swordfish99|ghp_/)
    const failing = opened({ search: null })
    const { recalled } = await failing.ask('Where is it?')
    expect(recalled?.problem).toContain('there is no memory to search')
    const { events } = await readMemoryEvents(failing.folder, 10)
    expect(events).toMatchObject([{ problem: recalled?.problem, placed: [] }])
  })

  test('what was recalled is said to be no request, within its budget, where no memory folder says so', async () => {
    const alone = await opened().ask('Where does the crane controller log to?')
    expect(alone.recalled?.text).toMatch(/^Text between .* not a request\..*\n<relevant-prior-context>\n/)
    expect(alone.recalled?.tokens).toBe(estimateUnits(alone.recalled?.text ?? ''))
    const reported = await opened({ snapshot: SNAPSHOT }).ask('Where does the crane controller log to?')
    expect(reported.recalled?.text).toMatch(/^<relevant-prior-context>\n/)
    expect(reported.system.text.match(/not a request/g)).toHaveLength(1)
  })

  test('G9: the prompt says how to look into a memory where there is one, and only there', async () => {
    const names = async (snapshot: WorkspaceSnapshot) =>
      (await opened({ snapshot }).ask('hi')).system.sections.map(({ name }) => name)
    expect(await names(SNAPSHOT)).toContain('memory')
    const { system } = await opened({ snapshot: SNAPSHOT }).ask('hi')
    expect(system.stable).toContain('## Memory Recall\n')
    expect(await names({ ...SNAPSHOT, memory: '' })).not.toContain('memory')
    // One file alone is a memory as well, when there is something in it.
    const withFile = (name: string, text: string | null) =>
      names({ ...SNAPSHOT, memory: '', files: [{ name, path: `/w/${name}`, text }] })
    expect(await withFile('MEMORY.md', 'Berth 4 is free on Mondays.')).toContain('memory')
    for (const [name, text] of [
      ['MEMORY.md', ' \n'],
      ['MEMORY.md', null],
      ['AGENTS.md', 'Never open berth 9.'],
    ] as const)
      expect(await withFile(name, text)).not.toContain('memory')
  })

  test('F1, F5, E9: that the agent was asked to save its memory is noted once, and checkpoints are', async () => {
    const { folder, context, held } = opened({ turns: 54 })
    await context.beforeResponse()
    await context.request({ parts: { identity: '' }, prompt: [{ role: 'user', content: 'go on' }] })
    held.messages = [
      ...held.messages,
      { role: 'user', content: 'go on' },
      {
        role: 'assistant',
        calls: [{ id: 'w' }],
        content: [
          {
            type: 'toolCall',
            id: 'w',
            name: 'write',
            arguments: { path: 'memory/1970-01-01.md', content: 'x' },
          },
        ],
      },
      { role: 'toolResult', resultFor: 'w', content: 'ok' },
    ]
    await context.afterResponse()
    await context.afterResponse()
    const { events } = await readMemoryEvents(folder, 20)
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'recall')
    expect(kinds.toReversed()).toEqual(['flush', 'saved', 'checkpoint'])
  })

  test('G6: memory is searched for what the user says, and not for what tools answered', async () => {
    const asked: string[] = []
    const context = new ContextManager<ContentMessage>({
      ...{ policy, window: 32_000, key: null, tokensOf: sizeOf, promptCache: null },
      recall: {
        search: {
          refresh: async () => ({ problems: [], notes: [] }),
          search: (query) => {
            asked.push(query)
            return []
          },
        },
        events: { note: () => Promise.reject(new Error('the disk is full')) },
      },
      agent: {
        ...{ session: SESSION, form: CONTENT_FORM, clock: { now: () => 1_000 } },
        ...{ getContext: () => [], setContext: () => undefined },
      },
    })
    const prompt: ContentMessage[] = [
      { role: 'toolResult', resultFor: 'c', content: 'the tide table' },
      { role: 'user', content: 'Which berth is free?' },
      { role: 'user', content: 'On Monday.' },
    ]
    const { warnings } = await context.request({ parts: { identity: 'You help.' }, prompt })
    expect(asked).toEqual(['Which berth is free?\nOn Monday.'])
    expect(warnings.join()).toContain('The log of the memory cannot be written: the disk is full')
  })
})

describe('G6 an agent that has its own parts', () => {
  test('keeps them where memory has nothing for them', async () => {
    const { context } = opened({ search: null })
    const { system } = await context.request({
      parts: { identity: 'You help.', tasks: 'Mend the crane.', memory: 'Look into the log.' },
      prompt: [{ role: 'user', content: 'Which berth?' }],
    })
    expect(system.text).toContain('Mend the crane.')
    expect(system.text).toContain('Look into the log.')
  })

  test('notes nothing, and warns of nothing, where it has no clock', async () => {
    const noted: unknown[] = []
    const context = new ContextManager<ContentMessage>({
      ...{ policy, window: 32_000, key: null, tokensOf: sizeOf, promptCache: null },
      recall: { search: null, events: { note: async (event) => void noted.push(event) } },
    })
    const prompt = [{ role: 'user', content: 'Which berth?' }]
    const { warnings, recalled } = await context.request({ parts: { identity: 'You help.' }, prompt })
    expect(warnings).toEqual([expect.stringContaining('no memory to search')])
    expect(noted).toEqual([])
    expect(recalled).not.toBeNull()
  })
})
