import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { STEP_CHECKPOINT_MS } from '../core/memory/step-checkpoint'
import type { WorkPlan } from '../core/memory/work-steps'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { type AgentMemory, KEPT_CHECKPOINTS, transientMemory } from '../engine/knowledge/agent-memory'
import { contentText, liveAgent, turnsOf } from '../testing/live-conversation'
import { standingClock } from '../testing/scripted-summarizer'

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
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'update_plan', input: plan }] }],
    ],
    [
      'Chat Completions',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'update_plan', arguments: text } }],
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
    await started([ASK, ...(messages as readonly ContentMessage[])], memory).context.beforeResponse()
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
})
