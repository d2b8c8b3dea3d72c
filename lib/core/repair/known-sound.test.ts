import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkLines } from '../../testing/repair/check-lines'
import { playScene } from '../../testing/repair/play-scene'
import { runs } from '../../testing/runs'

type Line = Readonly<Record<string, unknown>>

const textOf = (version: number, entries: readonly Line[]) =>
  [{ type: 'session', id: 's', version }, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')

/** Longer lines are not looked at. No other line of these tests is as long. */
const LONGEST = 400
/** Changes nothing, but whoever meets it looks at all ids, parents, and references again. */
const LONG = `{"long":"${'x'.repeat(LONGEST)}"}\n`

/** What is found, looked at with and without a doubt. */
function found(text: string, doubt: '' | typeof LONG) {
  const { findings, plan } = checkLines(text + doubt, 'late', LONGEST)
  return { findings, plan }
}

const say = (id: string, parentId: string | null): Line => ({
  ...{ type: 'message', id, parentId, message: { role: 'user', content: 'hi' } },
})
const reset = (id: string, parentId: string | null): Line => ({ type: 'reset', id, parentId, reason: 'new' })

const PLACES = 8
/** Mostly its own id and the entry before as its parent; else anything. */
const entry = fc.record({
  type: fc.constantFrom('message', 'message', 'message', 'custom', 'compaction', 'reset'),
  id: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.nat(PLACES)),
  parent: fc.oneof({ weight: 6, arbitrary: fc.constant('before') }, fc.constant(null), fc.nat(PLACES)),
  keeps: fc.option(fc.nat(PLACES)),
  side: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
})
const entries = fc.array(entry, { maxLength: PLACES }).map((all) =>
  all.map(({ type, id, parent, keeps, side }, i): Line => {
    const parentId =
      parent === 'before' ? (i === 0 ? null : `e${i - 1}`) : parent === null ? null : `e${parent}`
    return {
      ...say(`e${id ?? i}`, parentId),
      ...(type === 'message' ? {} : { type, summary: 's', message: undefined }),
      ...((type === 'compaction' || type === 'reset') && keeps !== null
        ? { firstKeptEntryId: `e${keeps}` }
        : {}),
      ...(side ? { appendMode: 'side' } : {}),
    }
  }),
)

describe('M10 a missing parent', () => {
  it.each<[string, number, readonly Line[], readonly string[], readonly string[]]>([
    ['of a reset at the beginning', 3, [reset('a', 'gone')], ['2 broken-parent'], ['a<- reset']],
    [
      'behind a reset, where OpenClaw goes on from the entry before and pi from none',
      3,
      [say('a', null), reset('b', 'a'), say('c', 'gone')],
      ['4 broken-parent → 3'],
      ['a<- user', 'b<a reset', 'c<b user'],
    ],
    [
      'in a transcript of version 4, where it comes later',
      4,
      [say('a', null), say('b', 'c'), say('c', 'a')],
      ['4 late-parent → 2'],
      ['a<- user', 'c<a user', 'b<c user'],
    ],
  ])('%s is found', async (_what, version, lines, findings, after) => {
    expect(await playScene(textOf(version, lines))).toMatchObject({ found: findings, after, again: [] })
  })
})

describe('M10 the quick look at ids, parents and references', () => {
  it('finds what the thorough one finds', () => {
    let sound = 0
    fc.assert(
      fc.property(entries, fc.constantFrom(2, 3, 4), (lines, version) => {
        const text = textOf(version, lines)
        const quick = found(text, '')
        expect(quick).toEqual(found(text, LONG))
        if (quick.findings.length === 0) sound++
      }),
      runs(500),
    )
    expect(sound).toBeGreaterThan(40)
  })
})
