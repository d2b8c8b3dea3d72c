import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { STEP_CHECKPOINT_MS } from '../core/memory/step-checkpoint'
import type { WorkPlan } from '../core/memory/work-steps'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { type AgentMemory, KEPT_CHECKPOINTS, transientMemory } from '../engine/knowledge/agent-memory'
import { contentText, liveAgent, turnsOf } from '../testing/live-conversation'
import { standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'
import { agentInParts } from './conversation'
import { RememberedState } from './remembered-state'
import { StepKeeper } from './step-keeper'

const SESSION = 'agent:harbour:main'
const PARTS = { identity: 'You keep the harbour.' }
const TITLES = ['Survey the berths', 'Paint the marks', 'Write the log']
const policy: Policy = {
  ...DEFAULT_POLICY,
  lines: { ...DEFAULT_POLICY.lines, flush: { enabled: false, at: [] } },
}

/** A call of a planning tool with the first `done` steps done and the next one under way, and its result. */
function planned(done: number, more: Partial<ContentMessage> = {}): ContentMessage[] {
  const todos = TITLES.map((content, i) => ({
    content,
    status: i < done ? 'completed' : i === done ? 'in_progress' : 'pending',
  }))
  const id = `plan${done}`
  return [
    {
      role: 'assistant',
      calls: [{ id }],
      content: [{ type: 'toolCall', id, name: 'TodoWrite', arguments: { todos } }],
    },
    { role: 'toolResult', resultFor: id, content: 'noted', ...more },
  ]
}

const ASK: ContentMessage = { role: 'user', content: 'Please mark the quay.' }

/** A process with an agent; several may share one memory and one time. */
function started(
  messages: readonly ContentMessage[],
  memory: AgentMemory,
  time = standingClock(1e12),
  more: { readonly plan?: () => WorkPlan | null } = {},
) {
  return { ...liveAgent(messages, policy, { memory, clock: time.clock, ...more }), time }
}

describe('a plan is found in each form of messages', () => {
  const plan = { plan: TITLES.map((step) => ({ step, status: 'pending' })) }
  const text = JSON.stringify(plan)
  test.each<[string, readonly object[]]>([
    [
      'Anthropic',
      [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'First a plan.' },
            { type: 'tool_use', id: 'a', name: 'update_plan', input: plan },
            { type: 'tool_use', id: 'b', name: 'read', input: {} },
          ],
        },
      ],
    ],
    [
      'Chat Completions',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
            { id: 'a', type: 'function', function: { name: 'update_plan', arguments: text } },
          ],
        },
      ],
    ],
    ['Responses', [{ type: 'function_call', call_id: 'a', name: 'update_plan', arguments: text }]],
    [
      'the screens of the AI SDK',
      [
        {
          role: 'assistant',
          id: 'm',
          parts: [{ type: 'tool-update_plan', toolCallId: 'a', state: 'input-available', input: plan }],
        },
      ],
    ],
  ])('%s', async (_form, messages) => {
    const memory = transientMemory()
    await started(messages as readonly ContentMessage[], memory).context.beforeResponse()
    const [noted] = await memory.stepCheckpoints(SESSION)
    expect(noted?.plan.steps.map(({ title }) => title)).toEqual(TITLES)
  })
})

describe('steps of a plan over a restart', () => {
  test('E12: a restart offers to go on, with the list of steps; taken up, it is in the next request', async () => {
    const memory = transientMemory()
    const first = started([ASK, ...planned(1)], memory)
    expect((await first.context.beforeResponse()).resume).toBeNull()

    const second = started([], memory)
    const { resume } = await second.context.beforeResponse()
    expect(resume).toMatchObject({ goal: 'Please mark the quay.', done: 1, next: 'Paint the marks' })
    expect(resume?.steps.map(({ title, state }) => [title, state])).toEqual([
      ['Survey the berths', 'done'],
      ['Paint the marks', 'active'],
      ['Write the log', 'open'],
    ])
    await second.context.resume(true)
    const prompt: ContentMessage = { role: 'user', content: 'Go on.' }
    const sent = (await second.context.request({ parts: PARTS, prompt: [prompt] })).messages
    expect(sent.map(({ message }) => contentText(message)).join('\n')).toContain(
      '- [x] Survey the berths\n- [>] Paint the marks\n- [ ] Write the log',
    )
    expect(sent.at(-1)).toMatchObject({ slot: 'prompt' })
    expect(contentText(sent.at(-1)?.message ?? ASK).endsWith('\n\nGo on.')).toBe(true)
    expect((await second.context.beforeResponse()).resume).toBeNull()
    const again = (await second.context.request({ parts: PARTS, prompt: [prompt] })).messages
    expect(again).toHaveLength(1)
  })

  test('E12: turned down, it is never offered again', async () => {
    const memory = transientMemory()
    await started([ASK, ...planned(1)], memory).context.afterResponse()
    const second = started([ASK, ...planned(1)], memory)
    await second.context.beforeResponse()
    expect(await second.context.resume(false)).toBeNull()
    expect((await second.context.beforeResponse()).resume).toBeNull()
    expect((await started([ASK, ...planned(1)], memory).context.beforeResponse()).resume).toBeNull()
  })

  test('E12: at most one note in a minute, none without a change, the newest five', async () => {
    const memory = transientMemory()
    const plan = { goal: 'quay', steps: [{ title: 'step 0', state: 'active' }] as WorkPlan['steps'] }
    const { context, time } = started([ASK], memory, undefined, { plan: () => plan })
    const kept = async () =>
      (await memory.stepCheckpoints(SESSION)).map(({ plan: { steps } }) => steps.at(-1)?.title)
    await context.afterResponse()
    plan.steps = [{ title: 'step 1', state: 'active' }]
    time.advance(STEP_CHECKPOINT_MS - 1)
    await context.afterResponse()
    expect(await kept()).toEqual(['step 0'])
    time.advance(1)
    await context.beforeResponse()
    expect(await kept()).toEqual(['step 0', 'step 1'])
    time.advance(10 * STEP_CHECKPOINT_MS)
    await context.afterResponse()
    expect(await kept()).toEqual(['step 0', 'step 1'])
    for (let i = 2; i < 9; i++) {
      plan.steps = [{ title: `step ${i}`, state: 'active' }]
      time.advance(STEP_CHECKPOINT_MS)
      await context.afterResponse()
    }
    expect(await kept()).toEqual(['step 4', 'step 5', 'step 6', 'step 7', 'step 8'])
    expect(KEPT_CHECKPOINTS).toBe(5)
  })

  test('E12: what is done is not offered, also when the last step ended within the minute', async () => {
    const memory = transientMemory()
    const first = started([ASK, ...planned(2)], memory)
    await first.context.beforeResponse()
    first.held.messages = [...first.held.messages, ...planned(3)]
    await first.context.afterResponse()
    expect((await started([], memory).context.beforeResponse()).resume).toBeNull()
  })

  test('E12: steps that were done after the last note are offered as the conversation tells', async () => {
    const memory = transientMemory()
    await started([ASK, ...planned(0)], memory).context.beforeResponse()
    const time = standingClock(1e12 + STEP_CHECKPOINT_MS)
    const second = started([ASK, ...planned(0), ...planned(2)], memory, time)
    expect((await second.context.beforeResponse()).resume).toMatchObject({ done: 2, next: 'Write the log' })
  })

  test('E12: a plan that goes on is offered no more; a call that failed has noted nothing', async () => {
    const memory = transientMemory()
    await started([ASK, ...planned(0)], memory).context.beforeResponse()
    const time = standingClock(1e12 + STEP_CHECKPOINT_MS)
    const second = started([ASK, ...planned(0)], memory, time)
    expect((await second.context.beforeResponse()).resume).not.toBeNull()
    second.held.messages = [...second.held.messages, ...planned(1, { isError: true } as object)]
    expect((await second.context.beforeResponse()).resume?.done).toBe(0)
    second.held.messages = [...second.held.messages, ...planned(2)]
    expect((await second.context.beforeResponse()).resume).toBeNull()
    expect((await memory.stepCheckpoints(SESSION)).at(-1)?.plan.steps[1]?.state).toBe('done')
  })

  test('E12: a compaction does not make it forget the plan', async () => {
    const memory = transientMemory()
    const { context, held } = started([ASK, ...planned(1), ...turnsOf(60)], memory)
    expect((await context.compact()).kind).toBe('compacted')
    held.messages = [...held.messages, ...turnsOf(2, 10, 'leg')]
    await context.beforeResponse()
    expect((await started(held.messages, memory).context.beforeResponse()).resume).toMatchObject({ done: 1 })
  })

  test('E12, V4: a memory that fails costs a warning and no offer', async () => {
    const broken = () => Promise.reject(new Error('disk gone'))
    const memory = { ...transientMemory(), stepCheckpoints: broken, addStepCheckpoint: broken }
    const done = await started([ASK, ...planned(1)], memory).context.beforeResponse()
    expect(done.resume).toBeNull()
    expect(done.warnings.join(' ')).toContain('disk gone')
  })

  test('E12: an offer that was taken up stays open until the plan goes on', async () => {
    const memory = transientMemory()
    await started([ASK, ...planned(1)], memory).context.beforeResponse()
    const second = started([], memory)
    expect(await second.context.resume(true)).toMatchObject({ done: 1 })
    expect((await second.context.beforeResponse()).resume).toBeNull()
    expect((await started([], memory).context.beforeResponse()).resume).toMatchObject({ done: 1 })
  })

  test('E12: an answer where nothing is offered leaves the notes as they are', async () => {
    const memory = transientMemory()
    const { context } = started([ASK, ...planned(1)], memory)
    await context.beforeResponse()
    expect([await context.resume(true), await context.resume(false)]).toEqual([null, null])
    expect(await memory.stepCheckpoints(SESSION)).toMatchObject([{ closed: false }])
  })

  test('E12: a list of no steps is no plan', async () => {
    const memory = transientMemory()
    const empty = { type: 'toolCall', id: 'e', name: 'TodoWrite', arguments: { todos: [] } }
    const none: ContentMessage = { role: 'assistant', calls: [{ id: 'e' }], content: [empty] }
    await started([ASK, ...planned(1), none], memory).context.beforeResponse()
    expect(await memory.stepCheckpoints(SESSION)).toMatchObject([{ plan: { steps: [{}, {}, {}] } }])
  })
})

/** A keeper by itself; `read` holds the messages that it has read, in their order. */
function keeperOf(messages: readonly ContentMessage[], memory = transientMemory(), form = CONTENT_FORM) {
  const read: ContentMessage[] = []
  const held = { messages }
  const counting = {
    ...form,
    tokensOf: () => 1,
    toSource: (message: ContentMessage, index: number) => {
      read.push(message)
      return form.toSource(message, index)
    },
  }
  const agent = { session: SESSION, form: counting, clock: { now: () => 1e12 }, setContext: () => {} }
  const keeper = new StepKeeper({
    agent: agentInParts({ ...agent, getContext: () => held.messages }, { sizeOf: () => 1 }),
    form: counting,
    state: new RememberedState(memory, SESSION),
    summary: { sizeOf: () => 1, mask: (text) => text, isSecret: () => false },
  })
  return { keeper, held, read, notes: () => memory.stepCheckpoints(SESSION) }
}

describe('where a plan is looked for', () => {
  const said: ContentMessage = { role: 'assistant', content: 'I see.' }

  test('what was examined is not read again', async () => {
    const { keeper, held, read } = keeperOf([ASK, ...planned(1)])
    await keeper.note()
    const [first, fresh] = [read.splice(0), planned(2, { isError: true } as object)]
    expect(first.length).toBeGreaterThan(0)
    await keeper.note()
    expect(read).toEqual([])
    held.messages = [...held.messages, ...fresh]
    await keeper.note()
    expect(read.toReversed()).toEqual(fresh)
  })

  test('what calls no planning tool is not read, nor what calls none beside a plan', async () => {
    const [, call, result] = turnsOf(1) as [ContentMessage, ContentMessage, ContentMessage]
    const output = { type: 'text', value: 'noted' }
    const others: ContentMessage[] = [
      ...[ASK, said, call, result],
      { role: 'assistant', calls: [], content: 'And now the plan.' },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'update_plan', output }] },
    ]
    const without = keeperOf(others)
    await without.keeper.note()
    expect(without.read).toEqual([])
    const beside = keeperOf([...planned(1), ...others.slice(1, 5)])
    await beside.keeper.note()
    expect(beside.read).toEqual([result, call, ...planned(1).toReversed()])
  })

  test('a conversation that was replaced is examined from its beginning', async () => {
    const { keeper, held, notes } = keeperOf([said, said, said, { ...said }])
    await keeper.note()
    held.messages = [ASK, ...planned(1), said, said, said]
    await keeper.note()
    expect(await notes()).toMatchObject([{ plan: { goal: ASK.content } }])
  })

  test.each([
    ['in the newest 500 messages', 498, 1],
    ['not before them', 499, 0],
  ])('of one that is loaded at once: %s', async (_where, more, noted) => {
    const { keeper, held, notes } = keeperOf([])
    await keeper.note()
    held.messages = [ASK, ...planned(1), ...Array.from({ length: more }, () => ({ ...said }))]
    await keeper.note()
    expect(await notes()).toHaveLength(noted)
  })

  test('its goal is what the user asked before it, and none where nothing was asked', async () => {
    const asked = keeperOf([ASK, ...planned(1), said, { role: 'user', content: 'Thank you.' }])
    await asked.keeper.note()
    expect(await asked.notes()).toMatchObject([{ plan: { goal: ASK.content } }])
    const unasked = keeperOf(planned(1))
    await unasked.keeper.note()
    expect(await unasked.notes()).toMatchObject([{ plan: { goal: null } }])
  })

  test('in the calls that a form of the agent’s own reads, where messages show none', async () => {
    const steps = TITLES.map((title) => ({ title }))
    const form = {
      ...CONTENT_FORM,
      hasBlocks: undefined,
      toSource: ({ role, content, failed }: ContentMessage & { failed?: boolean }, line: number) => {
        if (role === 'user') return null
        const source = { entryId: `m${line}`, line, text: '', images: 0 }
        if (failed === true)
          return { ...source, role: 'toolResult' as const, calls: [], resultFor: '', isError: true as const }
        const calls = [{ id: '', name: 'plan', input: { steps } }]
        return { ...source, role: 'assistant' as const, calls: content === 'plan' ? calls : [] }
      },
    }
    // Calls without an id have no result that is theirs.
    const failed = { role: 'toolResult', content: '', failed: true }
    const messages = [ASK, { role: 'assistant', content: 'plan' }, failed, ASK] as ContentMessage[]
    const { keeper, notes } = keeperOf(messages, undefined, form)
    await keeper.note()
    expect(await notes()).toMatchObject([{ plan: { goal: null, steps } }])
  })

  test('memory is read once, and a late answer of it takes nothing back', async () => {
    const memory = transientMemory()
    const answers: (() => void)[] = []
    const late = () => new Promise<[]>((answer) => answers.push(() => answer([])))
    const { keeper } = keeperOf([ASK, ...planned(1)], { ...memory, stepCheckpoints: late })
    const [first, second] = [keeper.note(), keeper.offer()]
    answers[0]?.()
    await first
    answers[1]?.()
    await second
    await keeper.note()
    expect(answers).toHaveLength(2)
    expect(await memory.stepCheckpoints(SESSION)).toHaveLength(1)
  })

  test.each([
    ['addStepCheckpoint', 'written'],
    ['stepCheckpoints', 'read'],
  ])('V4: where %s of the memory fails, it cannot be %s', async (method, what) => {
    const memory = { ...transientMemory(), [method]: () => Promise.reject(new Error('disk gone')) }
    const done = await started([ASK, ...planned(1)], memory).context.beforeResponse()
    expect(done.warnings).toEqual([expect.stringContaining(`cannot be ${what}: disk gone`)])
  })
})
