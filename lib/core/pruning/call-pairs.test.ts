import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findUnpaired } from '../history/pairing'
import { callPairs } from './call-pairs'
import { chunkGroups } from './chunk-groups'
import { type PruneMessage, pruneMessage } from './prune-message'

/** Messages in short, one a word: `u` user, `a` assistant, `a:x,y` with calls x and y, `r:x` the result of x, `r` one that does not say. */
function messages(words: string): PruneMessage[] {
  return words.split(' ').map((word, at) => {
    const [what = '', ids = ''] = word.split(':')
    const content = ids.split(',').map((id) => ({ type: 'toolCall', id, name: `tool-${id}`, arguments: {} }))
    const message =
      what === 'u'
        ? { role: 'user', content: 'go' }
        : what === 'a'
          ? { role: 'assistant', content: ids === '' ? 'yes' : content }
          : { role: 'toolResult', ...(ids === '' ? {} : { toolCallId: ids }), content: 'done' }
    return pruneMessage(message, { entryId: `m${at}`, tokens: 1, at: null })
  })
}

/** Pairs as `place/call id result`. */
const pairs = (words: string) =>
  callPairs(messages(words)).map(({ at, index, call, result }) => `${at}/${index} ${call.id} ${result}`)

describe('calls and their results', () => {
  it.each<[string, string[]]>([
    ['u a', []],
    ['u a:x r:x', ['1/0 x 2']],
    // Without a result, or before it.
    ['a:x', ['0/0 x null']],
    ['r:x a:x', ['1/0 x null']],
    ['u r:x', []],
    // Right behind, or later; in the same order or another one.
    ['a:x u r:x', ['0/0 x 2']],
    ['a:x,y r:y r:x', ['0/0 x 2', '0/1 y 1']],
    ['a:x,y r:x', ['0/0 x 1', '0/1 y null']],
    ['a:x a:y r:x r:y', ['0/0 x 2', '1/0 y 3']],
    ['a:x a:y r:y r:x', ['0/0 x 3', '1/0 y 2']],
    // A result of another call answers none.
    ['a:x r:z', ['0/0 x null']],
    ['a:x r:z r:x', ['0/0 x 2']],
    ['a:x r:x r:x', ['0/0 x 1']],
    // Of calls with one id the oldest that waits is answered first.
    ['a:x a:x r:x', ['0/0 x 2', '1/0 x null']],
    ['a:x a:x r:x r:x', ['0/0 x 2', '1/0 x 3']],
    ['a:x a:x a:x r:x r:x r:x', ['0/0 x 3', '1/0 x 4', '2/0 x 5']],
    ['a:x,x r:x r:x r:x', ['0/0 x 1', '0/1 x 2']],
    ['a:x r:x a:x r:x', ['0/0 x 1', '2/0 x 3']],
    // A result without an id answers the oldest call of all.
    ['a:x r', ['0/0 x 1']],
    ['a:y a:x r', ['0/0 y 2', '1/0 x null']],
    ['a:y a:x r r r', ['0/0 y 2', '1/0 x 3']],
    ['a:y a:x r r:x', ['0/0 y 2', '1/0 x 3']],
    ['r a:x', ['1/0 x null']],
    // Calls of one id that all have an answer wait no more.
    ['a:x,x r:x r:x a:y u r', ['0/0 x 1', '0/1 x 2', '3/0 y 5']],
  ])('of %s are %j', (words, expected) => {
    expect(pairs(words)).toEqual(expected)
  })

  it('are the same as the check of pairs finds them, in any order of messages', () => {
    const word = fc.constantFrom('u', 'a', 'a:x', 'a:y', 'a:x,y', 'a:x,x', 'r:x', 'r:y', 'r')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 14 }), (words) => {
        const all = messages(words.join(' '))
        const found = callPairs(all)
        const answered = new Set(found.flatMap(({ result }) => result ?? []))
        const { orphans, unanswered } = findUnpaired(all)
        expect(all.flatMap(({ role }, at) => (role === 'toolResult' && !answered.has(at) ? at : []))).toEqual(
          orphans,
        )
        const open = found.flatMap(({ call, result }) => (result === null ? call.id : []))
        expect(open.sort()).toEqual(unanswered.toSorted())
        // Chunks hold the same pairs.
        const groups = chunkGroups(all)
        for (const { at, result } of found)
          if (result !== null) expect(groups.find((group) => group.includes(at))).toContain(result)
      }),
    )
  })
})

describe('H10: chunks', () => {
  it.each<[string, number[][]]>([
    ['u a u', [[0], [1], [2]]],
    ['u a:x r:x u', [[0], [1, 2], [3]]],
    ['a:x u r:x', [[0, 2], [1]]],
    ['a:x,y r:y u r:x', [[0, 1, 3], [2]]],
    [
      'a:x a:x r:x r:x',
      [
        [0, 2],
        [1, 3],
      ],
    ],
    ['a:x r:x r:x', [[0, 1], [2]]],
    ['r:x a:x', [[0], [1]]],
    ['r a:x', [[0], [1]]],
    [
      'a:y a:x r r',
      [
        [0, 2],
        [1, 3],
      ],
    ],
    ['a:x r:z', [[0], [1]]],
  ])('of %s are %j, each call with its results, in the order of their beginning', (words, groups) => {
    expect(chunkGroups(messages(words))).toEqual(groups)
  })

  it('of messages that say nothing of calls are found as well', () => {
    expect(
      chunkGroups([
        ...[{ role: 'user' }, { role: 'assistant', calls: [{ id: 'x' }] }],
        { role: 'toolResult' },
      ]),
    ).toEqual([[0], [1, 2]])
  })

  it('of nothing are none', () => {
    expect(chunkGroups([])).toEqual([])
  })
})
