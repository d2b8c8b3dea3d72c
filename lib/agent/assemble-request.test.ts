import { describe, expect, it } from 'vitest'
import type { BootstrapHook } from '../core/bootstrap/hooks'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import type { WorkspaceSnapshot } from '../engine/workspace/workspace'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { liveAgent, turnsOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import type { AgentRecall } from './request-memory'

const { policy: VS7 } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
const WITHOUT_MEMORY: Policy = { ...VS7, semantic: { ...VS7.semantic, enabled: false } }
const PARTS = { identity: 'You keep the harbour log.' }
const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }

const file = (name: string, text: string) => ({ name, path: `/w/${name}`, text })
const workspace = (...files: WorkspaceSnapshot['files']) => ({
  snapshot: async (): Promise<WorkspaceSnapshot> => ({ files, daily: [], memory: '' }),
})

/** A request of an agent that counts characters, and the lines that its host gets. */
async function requested(
  policy: Policy,
  more: {
    readonly promptCache?: ReturnType<typeof workspace>
    readonly recall?: AgentRecall<ContentMessage>
    readonly hooks?: readonly BootstrapHook[]
  } = {},
) {
  const { promptCache = null, recall, hooks } = more
  const messages = turnsOf(2)
  const lines: string[] = []
  const context = new ContextManager<ContentMessage>({
    ...{ policy, window: 200_000, key: null, promptCache, recall, hooks },
    countText: (text) => text.length,
    agent: {
      ...{ session: 'main', form: CONTENT_FORM, clock: { now: () => 7 } },
      ...{ getContext: () => messages, setContext: () => undefined },
      diagnose: (level, line) => void lines.push(`${level} ${line}`),
    },
  })
  return { ...(await context.request({ parts: PARTS, prompt: [ASK] })), lines }
}

describe('C13 instructions in front of a conversation', () => {
  it.each([
    [true, ['system', 'history', 'history', 'prompt']],
    [false, ['history', 'history', 'history', 'prompt']],
  ])('are before the summary, once, in a form of an API: %s', async (hasBlocks, slots) => {
    const talk = [{ role: 'system', content: 'Be brief.' }, ASK, { role: 'assistant', content: 'Berth 4.' }]
    const { craft: _, ...form } = CONTENT_FORM
    const { context } = liveAgent(talk, QUIET_POLICY, { form: { ...form, hasBlocks } })
    const { messages } = await context.request({ parts: PARTS, prompt: [{ ...ASK }] })
    expect(messages.map(({ slot }) => slot)).toEqual(slots)
    expect(messages[0]?.message).toMatchObject({ content: 'Be brief.' })
  })
})

describe('A5 files of a workspace', () => {
  it('are counted with what is between them, apart from the rest of the system prompt', async () => {
    const promptCache = workspace(file('AGENTS.md', 'Moor at berth 4.'), file('SOUL.md', 'You are calm.'))
    const { bootstrap, system, lines } = await requested(WITHOUT_MEMORY, { promptCache })
    const files = bootstrap.files.map(({ text }) => text).join('\n').length
    expect(files).toBe(30)
    const rest = system.text.length - files
    expect(lines.at(-1)).toContain(`systemPrompt=${rest} bootstrap=${files} `)
  })

  it('come in the order of the policy; without a workspace those of hooks are all, in the order of the hooks', async () => {
    const files = [file('SOUL.md', 'You are calm.'), file('AGENTS.md', 'Moor at berth 4.')]
    const names = async (more: Parameters<typeof requested>[1]) =>
      (await requested(WITHOUT_MEMORY, more)).bootstrap.files.map(({ name }) => name)
    expect(await names({ promptCache: workspace(...files) })).toEqual(['AGENTS.md', 'SOUL.md'])
    expect(await names({ hooks: [() => files] })).toEqual(['SOUL.md', 'AGENTS.md'])
    expect(await names({})).toEqual([])
  })
})

describe('Q7 Q9 what is reported of a request', () => {
  const piece = {
    ...{ source: 'memory/2026-11-20.md', score: 0.9, text: 'The crane logs to /var/log/crane.log.' },
  }
  const recalling = (found: readonly object[]): AgentRecall<ContentMessage> => ({
    search: { refresh: async () => ({ problems: [], notes: [] }), search: () => found as never },
  })
  const ofMemory = (lines: readonly string[]) => lines.filter((line) => line.includes('semantic history'))

  it('is what was recalled, where anything was', async () => {
    const { lines, recalled } = await requested(VS7, { recall: recalling([piece]) })
    expect(ofMemory(lines)).toEqual([`info semantic history: retrieved 1 chunks, ${recalled?.tokens} tokens`])
    expect(ofMemory((await requested(VS7, { recall: recalling([]) })).lines)).toEqual([])
  })

  it('is a warning for each that it has', async () => {
    const promptCache = workspace(file('AGENTS.md', 'x'.repeat(200_000)))
    const { lines, warnings } = await requested(WITHOUT_MEMORY, { promptCache })
    expect(warnings).toHaveLength(1)
    expect(lines.filter((line) => !line.startsWith('info'))).toEqual(warnings.map((line) => `warn ${line}`))
  })
})
