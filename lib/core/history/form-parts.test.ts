import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories, type TalkStep } from '../../testing/forms/steps'
import { writtenIn } from '../../testing/forms/write-form'
import { runs } from '../../testing/runs'
import { FORM_NAMES, type FormName } from '../forms/form-name'
import { formOf } from '../forms/form-of'
import { countMessage } from './count-message'
import { joinParts, splitMessages } from './message-parts'
import { findUnpaired, isResult, withoutOrphans } from './pairing'
import type { ContentMessage } from './thinking'

/** Calls in the order in which they are made; plain texts have none. */
const callsOf = (form: FormName, steps: readonly TalkStep[]) =>
  form === 'plain'
    ? []
    : steps.flatMap((step) => (step.kind === 'answer' ? step.calls.map(({ id }) => id) : []))

describe.each(FORM_NAMES)('A8 messages of the form %s', (form) => {
  it('are recognised', () => {
    fc.assert(
      fc.property(histories({ words: 5, turns: 7 }), (steps) => {
        const messages = writtenIn(form, steps)
        const found = formOf(messages)
        // Texts alone are plain, and a refusal fits two forms.
        if (callsOf(form, steps).length > 0) expect(found).toBe(form)
        expect(formOf(messages, form)).toBe(form)
      }),
      runs(40),
    )
  })

  it('come back as the same objects, byte for byte, in whatever order they are', () => {
    const order = fc.infiniteStream(fc.integer({ min: 0, max: 1_000 }))
    fc.assert(
      fc.property(histories({ words: 5, turns: 7 }), fc.boolean(), order, (steps, isShuffled, places) => {
        const written = writtenIn(form, steps)
        const keyed = written.map((message) => ({ message, key: isShuffled ? places.next().value : 0 }))
        const messages = keyed.sort((a, b) => a.key - b.key).map(({ message }) => message)
        const before = JSON.stringify(messages)
        const again = joinParts(splitMessages(joinParts(splitMessages(messages))))
        expect(again).toHaveLength(messages.length)
        for (const [at, message] of again.entries()) expect(message).toBe(messages[at])
        expect(JSON.stringify(messages)).toBe(before)
      }),
      runs(40),
    )
  })

  it('have each call, and each result as a part with the call that it answers', () => {
    fc.assert(
      fc.property(histories({ words: 5, turns: 7 }), (steps) => {
        const messages = writtenIn(form, steps)
        const parts = splitMessages(messages)
        const made = callsOf(form, steps)
        expect(parts.flatMap(({ calls }) => (calls ?? []).map(({ id }) => id))).toEqual(made)
        expect(parts.filter(isResult).map(({ resultFor }) => resultFor)).toEqual(made)
        expect(findUnpaired(messages)).toEqual({ orphans: [], unanswered: [] })
      }),
      runs(40),
    )
  })

  it('keep their form, and all else of them, when results say something else', () => {
    fc.assert(
      fc.property(histories({ words: 5, turns: 7 }), fc.infiniteStream(fc.boolean()), (steps, choices) => {
        const messages = writtenIn(form, steps)
        const parts = splitMessages(messages).map((part) =>
          isResult(part) && choices.next().value === true ? { ...part, content: '[cleared]' } : part,
        )
        const joined = joinParts(parts)
        expect(joined).toHaveLength(messages.length)
        expect(formOf(joined, form)).toBe(form)
        expect(joinParts(splitMessages(joined))).toEqual(joined)
        expect(findUnpaired(joined)).toEqual({ orphans: [], unanswered: [] })
        const text = JSON.stringify(joined)
        const hasChanged = parts.some(({ content }) => content === '[cleared]')
        if (hasChanged) expect(text).toContain('[cleared]')
        else expect(text).toBe(JSON.stringify(messages))
        for (const [at, message] of messages.entries())
          if (!holdsResult(message)) expect(joined[at]).toBe(message)
      }),
      runs(40),
    )
  })

  it('stay in pairs, and in their form, whatever answers are taken out', () => {
    fc.assert(
      fc.property(histories({ words: 5, turns: 7 }), fc.infiniteStream(fc.boolean()), (steps, choices) => {
        const parts = splitMessages(writtenIn(form, steps))
        const kept = withoutOrphans(parts.filter((part) => isResult(part) || choices.next().value === true))
        const joined = joinParts(kept)
        expect(formOf(joined, form)).toBe(form)
        expect(findUnpaired(joined)).toEqual({ orphans: [], unanswered: [] })
      }),
      runs(40),
    )
  })

  it('are counted with all that they hold', () => {
    fc.assert(
      fc.property(histories(), (steps) => {
        const messages = writtenIn(form, steps)
        const tokens = messages.reduce((sum, message) => sum + countMessage(message), 0)
        const texts = steps.flatMap((step) =>
          step.kind === 'ask' ? [step.text] : [step.text, ...step.calls.map(({ answer }) => answer.text)],
        )
        // A word of these texts is one token, or two; empty answers leave their text out.
        const isEmpty = (step: TalkStep) =>
          step.kind === 'answer' && step.calls.some(({ answer }) => answer.kind === 'empty')
        if (!steps.some(isEmpty)) expect(tokens).toBeGreaterThan(texts.join(' ').split(/\s+/).length * 0.9)
      }),
      runs(40),
    )
  })
})

it('B2 a refusal beside a content is counted, and so are the tools that an item brings', () => {
  const refusal = 'I will not sink the crane. '.repeat(100)
  expect(countMessage({ role: 'assistant', content: null, refusal } as ContentMessage)).toBeGreaterThan(500)
  const tools = [{ type: 'function', name: 'read', description: 'reads the ledger '.repeat(100) }]
  const item = { type: 'additional_tools', role: 'developer', tools }
  expect(countMessage(item)).toBeGreaterThan(250)
})

/** Whether a result is in the message, by the names of all forms. */
function holdsResult(message: ContentMessage): boolean {
  return /tool_result|tool-result|toolResult|_output"|"role":"tool"|output-/.test(JSON.stringify(message))
}
