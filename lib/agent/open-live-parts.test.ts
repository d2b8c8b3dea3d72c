import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { livePartsOf } from '../testing/builders/live-parts'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { coldAgent } from '../testing/cold-conversation'
import { liveAgent, turnsOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import type { Curate } from './live-agent'

/** The first line at a tenth of the window; nothing else is near. */
const CURATING: Policy = {
  ...QUIET_POLICY,
  lines: { ...QUIET_POLICY.lines, curate: { ...DEFAULT_POLICY.lines.curate, enabled: true, at: 0.1 } },
}
const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }

async function curated(
  curate: Curate<ContentMessage>,
  {
    messages = turnsOf(12),
    incoming = [],
    policy = CURATING,
  }: {
    readonly messages?: readonly ContentMessage[]
    readonly incoming?: readonly ContentMessage[]
    readonly policy?: Policy
  } = {},
) {
  const { context, held } = liveAgent(messages, policy, { curate })
  const { steps, warnings } = await context.beforeResponse(incoming)
  return { context, held, steps, warnings, messages }
}

describe('V1 an agent’s own way to curate', () => {
  test('is given conversation, prompt, policy and window, and what it leaves is the conversation', async () => {
    const given: unknown[] = []
    const { held, steps, warnings, messages } = await curated(
      async (context) => {
        given.push(context)
        return context.messages.slice(4)
      },
      { incoming: [ASK] },
    )
    expect(given).toEqual([{ messages, incoming: [ASK], policy: CURATING, window: 32_000 }])
    expect([steps, warnings]).toEqual([['curate'], []])
    expect(held.messages).toEqual(messages.slice(4))
  })

  test('that takes nothing out is no step', async () => {
    const { held, steps } = await curated(async ({ messages }) => messages)
    expect([steps, held.sets]).toEqual([[], 0])
  })

  test('leaves the order as it is, calls with their results, and the newest message of the user', async () => {
    const { held, messages } = await curated(async ({ messages: all }) =>
      [all[6], all[1]].flatMap((one) => one ?? []),
    )
    const at = held.messages.map((message) => messages.indexOf(message))
    // 1 and 2, 5 and 6 are a call with its result; 44 is what was asked last.
    expect(at).toEqual([1, 2, 5, 6, 44])
    const asked = await curated(async ({ messages: all }) => all.slice(1, 3), { incoming: [ASK] })
    expect(asked.held.messages.map((message) => asked.messages.indexOf(message))).toEqual([1, 2])
  })

  test('that answers no list, or a message that is not from the list, costs a warning and changes nothing', async () => {
    const none = await curated(async () => 'all' as never)
    expect(none.warnings).toEqual(['Nothing was curated: `curate` answered no list of messages'])
    const foreign = await curated(async ({ messages }) => [...messages, ASK])
    expect(foreign.warnings).toEqual([
      'Nothing was curated: `curate` answered a message that was not in the conversation',
    ])
    const odd = await curated(async ({ messages }) => [...messages, null as never])
    expect(odd.warnings).toEqual(foreign.warnings)
    expect([none.held.sets, foreign.held.sets, odd.held.sets]).toEqual([0, 0, 0])
  })

  test('is asked above the first line alone, before a request, and not for the hard line', async () => {
    let asked = 0
    const curate: Curate<ContentMessage> = async ({ messages }) => {
      asked += 1
      return messages
    }
    await curated(curate, { messages: turnsOf(2) })
    expect(asked).toBe(0)
    const { context } = await curated(curate)
    expect(asked).toBe(1)
    await context.afterResponse()
    expect(asked).toBe(1)
    const lines = {
      ...CURATING.lines,
      curate: { enabled: false, at: 0.1 },
      compact: { enabled: true, at: 0.1 },
    }
    await curated(curate, { policy: { ...CURATING, lines } })
    expect(asked).toBe(1)
    const off = { ...CURATING.compaction, mode: 'off' as const }
    await curated(curate, { messages: turnsOf(120), policy: { ...CURATING, compaction: off } })
    expect(asked).toBe(2)
  })
})

test('H9: nothing is dropped for its relevance where an agent has no cold storage, or does not want it', async () => {
  const policy: Policy = { ...CURATING, relevance: { ...CURATING.relevance, cutoff: 0.99, keep: 1 } }
  const drops = async (more: object) =>
    (await coldAgent([...turnsOf(12), ASK], policy, { window: 32_000, ...more }).context.afterResponse()).drop
  expect((await drops({}))?.dropped.length).toBeGreaterThan(0)
  expect(await drops({ dropsByRelevance: false })).toBeNull()
  expect(await drops({ cold: undefined })).toBeNull()
})

test('nothing is a secret of an agent that has no rules for them', () => {
  const { isSecret, mask } = livePartsOf([], QUIET_POLICY).parts.summary
  expect([isSecret?.('token=swordfish'), mask?.('token=swordfish')]).toEqual([false, 'token=swordfish'])
})

test('a message at its place is read once; of another list everything from the first difference on is read anew', () => {
  const read: string[] = []
  const form: typeof CONTENT_FORM = {
    ...CONTENT_FORM,
    toSource: (message, at) => {
      read.push(`${message.content}${at}`)
      return CONTENT_FORM.toSource(message, at)
    },
  }
  const { toSource } = livePartsOf([], QUIET_POLICY, { form }).parts.form
  const messages = new Map(
    ['a', 'b', 'c', 'd'].map((content) => [content, { role: 'user' as const, content }]),
  )
  const isRead = (place: string) => {
    read.length = 0
    const [name = '', at = ''] = place
    expect(toSource(messages.get(name) as ContentMessage, Number(at))).toMatchObject({
      ...{ entryId: `m${at}`, text: name },
    })
    return read.length > 0
  }
  expect(['a0', 'b1', 'c2'].map(isRead)).toEqual([true, true, true])
  expect(['b1', 'c2', 'a0'].map(isRead)).toEqual([false, false, false])
  // Behind the first place that differs nothing is left; what is behind the end is not kept.
  expect(['d1', 'c2', 'a4'].map(isRead)).toEqual([true, true, true])
  expect(['a0', 'd1', 'c2'].map(isRead)).toEqual([false, false, false])
  expect(['a4', 'a3', 'a4'].map(isRead)).toEqual([true, true, true])
  expect(['a3', 'a4', 'a0'].map(isRead)).toEqual([false, false, false])
})
