import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countMessage } from '../core/history/count-message'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { type BuiltForm, conversations, inForm, MESSAGE_FORMS } from '../testing/builders/conversations'
import { refusedBy } from '../testing/builders/provider-check'
import { PRUNING_POLICY } from '../testing/builders/pruning-policy'
import { coldAgent, MEMFAS, NOW } from '../testing/cold-conversation'
import { runs } from '../testing/runs'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import { Conversation } from './conversation'
import { TaskKeeper } from './task-keeper'
import { transientTasks } from './task-store'

const PARTS = { identity: 'You keep the harbour log.' }

/** What an agent may ask for around its turns. */
const actions = fc.array(
  fc.constantFrom('before', 'compact', 'after', 'slide', 'add', 'recover') as fc.Arbitrary<
    'before' | 'compact' | 'after' | 'slide' | 'add' | 'recover'
  >,
  { minLength: 1, maxLength: 5 },
)

const said = (form: BuiltForm, content: string): ContentMessage[] =>
  inForm(form, [{ kind: 'ask', text: content, image: false }])

describe.each(MESSAGE_FORMS)('messages of the form %s', (form) => {
  test('J7 C8 C12, VS7 defect 22: whatever is done to a conversation, no pair is torn and the provider takes each request', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(
        conversations(),
        actions,
        fc.integer({ min: 2_000, max: 9_000 }),
        fc.constantFrom(MEMFAS, DEFAULT_POLICY, PRUNING_POLICY),
        async (steps, asked, window, policy) => {
          const talk = new Conversation(inForm(form, steps))
          const { cold } = coldAgent([], MEMFAS)
          let now = NOW
          const context = new ContextManager({
            // Small windows bring every line about; that an agent is refused in them is tested by itself.
            policy: { ...policy, window: { ...policy.window, blockBelow: 0, warnBelow: 0 } },
            window,
            key: null,
            promptCache: null,
            agent: { ...talk, session: 's', clock: { now: () => now }, form: CONTENT_FORM, cold },
          })
          for (const action of asked) {
            now += 90_000
            const before = talk.getContext()
            if (action === 'before') await context.beforeResponse(said(form, 'Which crane?'))
            if (action === 'compact') await context.compact()
            if (action === 'after') await context.afterResponse()
            if (action === 'add') await context.addWithRoom(said(form, 'One more.')[0] ?? {})
            if (action === 'recover')
              for (const { chunkId } of (await cold.list()).chunks.slice(0, 1)) await context.recover(chunkId)
            if (talk.getContext() !== before) changed += 1
            const torn = refusedBy(form, talk.getContext()).filter((line) => line.includes('answer'))
            expect(torn).toEqual([])
            const prompt = said(form, 'And the next berth?')
            const { messages, warnings } = await context.request({ parts: PARTS, prompt })
            const sent = messages.map(({ message }) => message)
            expect(refusedBy(form, sent)).toEqual([])
            // Nothing was torn, so there was nothing to make good.
            expect(warnings.filter((line) => line.includes('tool'))).toEqual([])
            expect(JSON.stringify(sent.at(-1))).toContain('And the next berth?')
          }
        },
      ),
      runs(15),
    )
    // How many actions change something varies with chance; hardly any would mean that these runs try nothing.
    expect(changed).toBeGreaterThan(3)
  })
})

describe('what an API has that we do not know', () => {
  const odd = { type: 'hologram', ray: 'x'.repeat(400) }
  const talkOf = (content: unknown[]) => {
    const errand = (id: string) =>
      inForm('anthropic', [
        { kind: 'ask', text: `Which berth is ${id}?`, image: false },
        {
          kind: 'answer',
          text: 'Wait.',
          thinks: false,
          aside: '',
          calls: [{ id, path: 'a.md', result: 'quay '.repeat(300) }],
        },
      ])
    return new Conversation([
      { role: 'user', content },
      ...['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].flatMap(errand),
    ])
  }

  test('C8 a block that is not known is kept in every request, byte for byte, and never dropped for its worth', async () => {
    const messages = [{ type: 'text', text: 'See this.' }, odd]
    const talk = talkOf(messages)
    const { cold } = coldAgent([], MEMFAS)
    const context = new ContextManager({
      policy: MEMFAS,
      window: 3_600,
      key: null,
      promptCache: null,
      agent: { ...talk, session: 's', clock: { now: () => NOW }, form: CONTENT_FORM, cold },
    })
    const { drop } = await context.beforeResponse(said('anthropic', 'Which crane?'))
    expect(drop?.dropped.length).toBeGreaterThan(0)
    expect(talk.getContext()[0]).toMatchObject({ content: messages })
    const { messages: sent } = await context.request({
      parts: PARTS,
      prompt: said('anthropic', 'Which crane?'),
    })
    expect(JSON.stringify(sent)).toContain(JSON.stringify(odd))
  })
})

test.each(MESSAGE_FORMS)(
  'K1: what a completed task read in messages of the form %s is archived, pairs whole',
  async (form) => {
    const steps = ['c1', 'c2'].map((id) => ({ id, path: 'a.md', result: 'ledger '.repeat(400) }))
    const answer = { kind: 'answer', text: 'See.', thinks: false, aside: '', calls: steps } as const
    const ask = { kind: 'ask', text: 'Which berth?', image: false } as const
    const talk = new Conversation(inForm(form, [ask]))
    const tasks = new TaskKeeper({
      ...talk,
      session: 's',
      policy: DEFAULT_POLICY,
      store: transientTasks(),
      clock: { now: () => NOW },
      form: { ...CONTENT_FORM, tokensOf: countMessage },
      sizeOf: (text) => text.length / 4,
      budget: 1_000,
    })
    await tasks.add({ id: 't', title: 'Find the berth' })
    await tasks.start('t')
    talk.add(...inForm(form, [answer]))
    const done = await tasks.complete('t', { summary: 'Berth 4 is free.' })
    expect(done).toMatchObject({ ok: true, putAway: { results: 2 } })
    const held = talk.getContext()
    expect(held.reduce((sum, message) => sum + countMessage(message), 0)).toBeLessThan(250)
    expect(refusedBy(form, held)).toEqual([])
  },
)
