import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FORM_NAMES, type FormName } from '../core/forms/form-name'
import { formOf } from '../core/forms/form-of'
import { joinParts, splitMessages } from '../core/history/message-parts'
import { isResult } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { PRUNING_POLICY } from '../testing/builders/pruning-policy'
import { coldAgent, MEMFAS, NOW } from '../testing/cold-conversation'
import { refusedIn } from '../testing/forms/refused-in'
import { histories, type TalkStep } from '../testing/forms/steps'
import { writtenIn } from '../testing/forms/write-form'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { Conversation } from './conversation'

/** Histories of every form together; 10,000 take about ten minutes. */
const CASES = Number(process.env.PLIMSOLL_FORM_CASES ?? 70)

const presets = Object.entries(PRESETS).map(
  ([label, patch]): Policy => resolvePolicy([{ level: 'preset', label, patch }]).policy,
)
const THINKING: Policy = { ...DEFAULT_POLICY, history: { ...DEFAULT_POLICY.history, sendThinking: true } }

const ACTIONS = ['before', 'compact', 'after', 'add', 'recover'] as const
const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 5 })

const asks = (text: string): TalkStep => ({ kind: 'ask', text, attachment: 'none', marked: false })

/** What an agent adds to its conversation, with ids that no other message has. */
function said(form: FormName, text: string, at: number): ContentMessage[] {
  return writtenIn(form, [asks(text)]).map((message) =>
    form === 'ai-sdk-ui' ? ({ ...message, id: `said-${at}` } as ContentMessage) : message,
  )
}

function managed(form: FormName, messages: readonly ContentMessage[], window: number, policy: Policy) {
  const talk = new Conversation(messages)
  const { cold } = coldAgent([], MEMFAS)
  const clock = { time: NOW, now: () => clock.time }
  const context = new ContextManager({
    // Small windows bring every line about; that an agent is refused in them is tested by itself.
    policy: { ...policy, window: { ...policy.window, blockBelow: 0, warnBelow: 0 } },
    window,
    key: null,
    promptCache: null,
    ...(form === 'anthropic' ? { provider: 'anthropic' } : {}),
    agent: { ...talk, session: 's', clock, form: CONTENT_FORM, cold },
  })
  return { talk, cold, clock, context }
}

describe.each(FORM_NAMES)('C8 C12 A8 messages of the form %s', (form) => {
  test('whatever is done to a conversation, the API takes each request, and what is kept stays in its form', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(
        histories({ words: 40, turns: 8 }),
        actions,
        fc.integer({ min: 1_500, max: 9_000 }),
        fc.constantFrom(MEMFAS, DEFAULT_POLICY, PRUNING_POLICY, THINKING, ...presets),
        async (steps, asked, window, policy) => {
          const original = writtenIn(form, steps)
          const { talk, cold, clock, context } = managed(form, original, window, policy)
          let n = 0
          for (const action of asked) {
            n += 1
            clock.time += 90_000
            const before = talk.getContext()
            if (action === 'before') await context.beforeResponse(said(form, 'Which crane?', n))
            if (action === 'compact') await context.compact()
            if (action === 'after') await context.afterResponse()
            if (action === 'add') await context.addWithRoom(said(form, 'One more.', n)[0] ?? {})
            if (action === 'recover')
              for (const { chunkId } of (await cold.list()).chunks.slice(0, 1)) await context.recover(chunkId)
            const held = talk.getContext()
            if (held !== before) changed += 1
            expect(formOf(held, form)).toBe(form)
            const torn = await refusedIn(form, held, original)
            expect(torn.filter((line) => line.startsWith('pairs'))).toEqual([])
            const prompt = said(form, 'And the next berth?', 1_000 + n)
            const { messages } = await context.request({ parts: { identity: 'You keep the log.' }, prompt })
            const sent = messages.map(({ message }) => message)
            expect(await refusedIn(form, sent, original)).toEqual([])
            expect(formOf(sent, form)).toBe(form)
            expect(JSON.stringify(sent.at(-1))).toContain('And the next berth?')
          }
        },
      ),
      { numRuns: Math.ceil(CASES / FORM_NAMES.length) },
    )
    // How many actions change something varies with chance; hardly any would mean that these runs try nothing.
    expect(changed).toBeGreaterThan(CASES / FORM_NAMES.length / 8)
  })

  test('a conversation with results that are missing, or before their calls, is made good in the request', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories({ words: 5, turns: 5 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 5 })),
        async (steps, choices) => {
          const original = writtenIn(form, steps)
          const broken: ContentMessage[] = []
          for (const part of splitMessages(original)) {
            const choice = isResult(part) ? choices.next().value : 5
            if (choice === 0) continue
            if (choice === 1 && form !== 'ai-sdk-ui') broken.splice(Math.max(0, broken.length - 2), 0, part)
            else broken.push(part)
          }
          const { context } = managed(form, joinParts(broken), 1_000_000, THINKING)
          const prompt = said(form, 'And the next berth?', 1_000)
          const { messages } = await context.request({ parts: { identity: 'You keep the log.' }, prompt })
          const sent = messages.map(({ message }) => message)
          expect(await refusedIn(form, sent, original)).toEqual([])
          expect(formOf(sent, form)).toBe(form)
        },
      ),
      { numRuns: Math.ceil(CASES / FORM_NAMES.length) },
    )
  })

  test('nothing is changed while nothing is due', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ words: 5, turns: 5 }), async (steps) => {
        const original = writtenIn(form, steps)
        const whole = JSON.stringify(original)
        const { talk, context } = managed(form, original, 1_000_000, DEFAULT_POLICY)
        const before = talk.getContext()
        await context.beforeResponse(said(form, 'Which crane?', 1))
        await context.afterResponse()
        expect(talk.getContext()).toBe(before)
        expect(JSON.stringify(original)).toBe(whole)
      }),
      { numRuns: 15 },
    )
  })
})

test('C8 C12: a result that an agent noted before its call is behind it in the request, with all that it says', async () => {
  const early = { role: 'tool', tool_call_id: 'call_1', content: 'The Aurora lies at berth four.' }
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } }],
  }
  const history = [
    { role: 'user', content: 'Where?' },
    early,
    call,
    { role: 'assistant', content: 'At four.' },
  ]
  const context = new ContextManager({
    policy: DEFAULT_POLICY,
    window: 200_000,
    key: null,
    promptCache: null,
  })
  const prompt = [{ role: 'user', content: 'And the Borealis?' }]
  const { messages, warnings } = await context.request({
    parts: { identity: 'You keep the log.' },
    history,
    prompt,
  })
  const sent = messages.map(({ message }) => message)
  expect(sent.indexOf(early)).toBe(sent.indexOf(call) + 1)
  expect(JSON.stringify(sent)).not.toContain('no result')
  expect(warnings).toEqual(['1 tool results came before their calls; the request has them behind.'])
})
