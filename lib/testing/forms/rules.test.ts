import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORM_NAMES, type FormName } from '../../core/forms/form-name'
import type { ContentMessage } from '../../core/history/thinking'
import { refusedIn } from './refused-in'
import { histories, type TalkStep } from './steps'
import { writtenIn } from './write-form'

const ask: TalkStep = { kind: 'ask', text: 'Which berth?', attachment: 'none', marked: false }
const calls = [1, 2, 3].map((n) => ({
  id: `call_${n}`,
  path: 'a.md',
  answer: { kind: 'text' as const, text: `said ${n}` },
}))
const answer: TalkStep = {
  kind: 'answer',
  text: 'See.',
  thinking: 'plain',
  server: true,
  refuses: false,
  calls,
  aside: '',
}
const TOOL_FORMS = FORM_NAMES.filter((form) => form !== 'plain')

describe.each(FORM_NAMES)('the rules for messages of the form %s', (form) => {
  it('take every conversation that was written for them, with a question at its end', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ words: 3, turns: 5 }), async (steps) => {
        const messages = writtenIn(form, [...steps, ask])
        const refused = await refusedIn(form, messages, messages)
        // What the user adds to results may be two messages of the user in a row.
        expect(refused.filter((line) => !line.includes('in a row'))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

describe.each(TOOL_FORMS)('the rules for messages of the form %s', (form) => {
  const whole = writtenIn(form, [ask, answer, ask])
  const refusedOf = (messages: readonly ContentMessage[]) => refusedIn(form, messages, whole)

  it('refuse a conversation in which one half of a pair is missing', async () => {
    expect(await refusedOf(whole)).toEqual([])
    const text = JSON.stringify(whole)
    for (const half of halvesOf(form)) {
      const torn = JSON.parse(text, (_, value: unknown) =>
        Array.isArray(value) ? value.filter((one) => !half.test(JSON.stringify(one) ?? '')) : value,
      ) as ContentMessage[]
      expect(torn).not.toEqual(whole)
      expect((await refusedOf(torn)).length, String(half)).toBeGreaterThan(0)
    }
  })

  it('refuse messages in the wrong order', async () => {
    if (form === 'ai-sdk-ui') return
    expect((await refusedOf([...whole].reverse())).some((line) => line.startsWith('pairs'))).toBe(true)
  })
})

/** What takes the call, and what takes the result, of the second pair out of a list. */
function halvesOf(form: FormName): RegExp[] {
  switch (form) {
    case 'anthropic':
      return [/^\{"type":"tool_use","id":"call_2"/, /^\{"type":"tool_result","tool_use_id":"call_2"/]
    case 'openai-chat':
      return [/^\{"id":"call_2"/, /^\{"role":"tool","tool_call_id":"call_2"/]
    case 'openai-responses':
      return [/^\{"type":"custom_tool_call",/, /^\{"type":"custom_tool_call_output"/, /^\{"type":"reasoning"/]
    case 'ai-sdk':
      return [/^\{"type":"tool-call","toolCallId":"call_2"/, /^\{"type":"tool-result","toolCallId":"call_2"/]
    case 'pi':
      return [/^\{"type":"toolCall","id":"call_2"/, /^\{"role":"toolResult","toolCallId":"call_2"/]
    default:
      // One part is both: without its parts a message is none.
      return [/^\{"type":"step-start"\}|^\{"type":"(text|reasoning|tool|dynamic|source)/]
  }
}
