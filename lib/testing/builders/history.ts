import fc from 'fast-check'
import type { HistoryMessage } from '../../core/history/message'

/** A message as limits see it, with a name to tell it by. */
export type LightMessage = HistoryMessage & {
  readonly name: string
  readonly tokens: number
}

/** A history written as words: `user`, `assistant`, `assistant:a,b` (calls a and b), `result:a`, `summary`, `custom`. */
export function history(words: string, tokens: number | readonly number[] = 10): LightMessage[] {
  return words
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word, at) => {
      const [role = '', ids = ''] = word.split(':')
      const size = typeof tokens === 'number' ? tokens : (tokens[at] ?? 0)
      const base = { name: `${at}:${word}`, tokens: size }
      if (role === 'result') return { ...base, role: 'toolResult', resultFor: ids }
      if (role === 'summary') return { ...base, role: 'compactionSummary' }
      if (role !== 'assistant' || ids === '') return { ...base, role }
      return { ...base, role, calls: ids.split(',').map((id) => ({ id })) }
    })
}

/** The words of a history again, without tokens. */
export function historyWords(messages: readonly LightMessage[]): string {
  return messages.map((message) => message.name.slice(message.name.indexOf(':') + 1)).join(' ')
}

export const lightTokens = (message: { readonly tokens: number }): number => message.tokens

export function totalOf(messages: readonly LightMessage[]): number {
  return messages.reduce((sum, message) => sum + message.tokens, 0)
}

/** Whole histories as runtimes write them: summaries first, turns with tool calls that are all answered in place. */
export const pairedHistories: fc.Arbitrary<LightMessage[]> = fc
  .record({
    summaries: fc.nat(2),
    opening: fc.array(fc.nat(3), { maxLength: 2 }),
    turns: fc.array(fc.array(fc.nat(3), { maxLength: 4 }), { maxLength: 12 }),
    sizes: fc.infiniteStream(fc.nat(60)),
  })
  .map(({ summaries, opening, turns, sizes }) => {
    let calls = 0
    const step = (count: number) => {
      const ids = Array.from({ length: count }, () => `c${calls++}`)
      const answer = count === 0 ? 'assistant' : `assistant:${ids.join(',')}`
      return [answer, ...ids.map((id) => `result:${id}`)]
    }
    const words = [
      ...Array.from({ length: summaries }, () => 'summary'),
      ...opening.flatMap(step),
      ...turns.flatMap((steps) => ['user', ...steps.flatMap(step)]),
    ]
    return history(
      words.join(' '),
      words.map(() => sizes.next().value ?? 0),
    )
  })

/** Anything: orphans, duplicates, torn turns, messages of other roles, in any order. */
export const anyHistories: fc.Arbitrary<LightMessage[]> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'user',
        'assistant',
        'assistant:a',
        'assistant:a,b',
        'assistant:b,c',
        'result:a',
        'result:b',
        'result:c',
        'custom',
        'summary',
        'bashExecution',
      ),
      fc.nat(60),
    ),
    { maxLength: 40 },
  )
  .map((items) =>
    history(
      items.map(([word]) => word).join(' '),
      items.map(([, size]) => size),
    ),
  )
