import { describe, expect, it } from 'vitest'
import { Draft, DraftEntry } from './draft'
import { repairPlan } from './plan'

/** Entries of a file in their order; names are ids, and lines count from 1. */
function draftOf(...names: string[]) {
  const draft = new Draft()
  const entries = names.map((name, i) => {
    const entry = new DraftEntry('message', { line: i + 1 }, { bytes: 1, ordinal: i })
    entry.id = name
    entry.role = 'user'
    draft.append(entry)
    return entry
  })
  return { draft, at: (name: string) => entries.find(({ id }) => id === name) as DraftEntry }
}
const made = (id: string, line: number): DraftEntry => {
  const entry = new DraftEntry('message', { line }, { bytes: 0, ordinal: -1 }, `{"id":"${id}"}`)
  entry.id = id
  return entry
}
const shown = (plan: ReturnType<typeof repairPlan>) => ({
  steps: plan.steps.map(({ kind, line, entryId, reason }) => `${kind} ${line} ${entryId}: ${reason}`),
  lines: [...plan.lines].map(([line, emissions]) => [
    line,
    emissions.map((one) =>
      one.kind === 'made'
        ? one.text
        : `${one.line}${one.part === undefined ? '' : ` ${one.part}`}${one.edits.length > 0 ? '*' : ''}`,
    ),
  ]),
  carried: [...plan.carried],
})
const NO_REASONS = new Map<DraftEntry, string>()

describe('M10 what is to be written', () => {
  it('nothing, where nothing changed', () => {
    const { draft } = draftOf('a', 'b', 'c')
    expect(repairPlan(draft, [], NO_REASONS, null)).toEqual({
      steps: [],
      lines: new Map(),
      carried: new Set(),
    })
  })

  it('a line that changes, in its place; with the reason of its pass, else with what it goes on from', () => {
    const { draft, at } = draftOf('a', 'b', 'c')
    at('b').setParent('x')
    at('c').setParent(null)
    at('c').parentId = null
    at('a').edit({ set: ['n'], value: '1' })
    const reasons = new Map([[at('a'), 'because']])
    expect(shown(repairPlan(draft, [], reasons, null))).toEqual({
      steps: ['change 1 a: because', 'change 2 b: goes on from x'],
      lines: [
        [1, ['1*']],
        [2, ['2*']],
      ],
      carried: [],
    })
    expect(repairPlan(draft, [], reasons, null).steps[0]).toStrictEqual({
      ...{ kind: 'change', line: 1, entryId: 'a', role: 'user', reason: 'because' },
      emission: { kind: 'line', line: 1, edits: [{ set: ['n'], value: '1' }] },
    })
  })

  it('a line that names other places: with these alone where its parent stays, else with both', () => {
    const { draft, at } = draftOf('a', 'b', 'c', 'd')
    for (const name of ['a', 'b', 'c', 'd']) at(name).edit({ set: ['n'], value: '1' })
    for (const name of ['a', 'b', 'd']) draft.renewed.set(at(name), `names ${name}`)
    at('b').setParent('x')
    at('c').setParent(null)
    at('a').setId('i')
    const reasons = new Map([[at('d'), 'because']])
    expect(shown(repairPlan(draft, [], reasons, null)).steps).toEqual([
      'change 1 i: names a',
      'change 2 b: goes on from x; names b',
      'change 3 c: goes on from the beginning',
      'change 4 d: because',
    ])
  })

  it('a last line that lacks its end is written anew, and is no step', () => {
    const { draft } = draftOf('a', 'b')
    expect(shown(repairPlan(draft, [], NO_REASONS, 2))).toEqual({
      steps: [],
      lines: [[2, ['2']]],
      carried: [],
    })
  })

  it('what goes: lines that cannot be read, parts of them, and entries; steps are in the order of lines', () => {
    const { draft, at } = draftOf('a', 'b', 'c', 'd')
    draft.remove(at('d'))
    draft.remove(at('b'))
    const bad = [
      { line: 9, found: 'unparseable-line', reason: 'bad' },
      { line: 3, part: [2, 5], found: 'torn-part', reason: 'torn' },
    ] as const
    const plan = repairPlan(draft, bad, new Map([[at('b'), 'why']]), null)
    expect(shown(plan)).toMatchObject({
      steps: ['drop 2 b: why', 'drop 3 null: torn', 'drop 4 d: dropped', 'drop 9 null: bad'],
      lines: [
        [9, []],
        [3, []],
        [4, []],
        [2, []],
      ],
    })
    expect(plan.steps.map(({ part, emission }) => [part, emission])).toEqual([
      [undefined, null],
      [[2, 5], null],
      [undefined, null],
      [undefined, null],
    ])
    expect(plan.steps.map((step) => 'part' in step)).toEqual([false, true, false, false])
  })

  it('what was made comes behind the line before it, or at the beginning', () => {
    const { draft, at } = draftOf('a', 'b')
    draft.insertAfter(at('a'), made('n', 1))
    draft.insertAfter(null, made('m', 1))
    expect(shown(repairPlan(draft, [], NO_REASONS, null))).toEqual({
      steps: ['insert 1 m: inserted', 'insert 1 n: inserted'],
      lines: [
        [0, ['{"id":"m"}']],
        [1, ['1', '{"id":"n"}']],
      ],
      carried: [],
    })
  })

  it('what was made and goes again leaves no trace', () => {
    const { draft, at } = draftOf('a')
    const fresh = made('n', 1)
    draft.insertAfter(at('a'), fresh)
    draft.remove(fresh)
    expect(shown(repairPlan(draft, [], NO_REASONS, null))).toEqual({ steps: [], lines: [], carried: [] })
  })

  it('as few lines as tell the difference move; each is written in its new place alone', () => {
    const { draft, at } = draftOf('a', 'b', 'c', 'd')
    draft.toFront(at('d'))
    draft.move(at('a'), at('c'))
    at('a').setParent('c')
    expect(shown(repairPlan(draft, [], NO_REASONS, null))).toEqual({
      steps: ['move 1 a: moved', 'move 4 d: moved'],
      lines: [
        [4, []],
        [1, []],
        [0, ['4']],
        [3, ['3', '1*']],
      ],
      carried: [4, 1],
    })
  })

  it('of two lines that changed places one moves', () => {
    const { draft, at } = draftOf('a', 'b')
    draft.toFront(at('b'))
    expect(shown(repairPlan(draft, [], NO_REASONS, null))).toMatchObject({
      steps: ['move 2 b: moved'],
      carried: [2],
    })
  })

  it('entries of one line are written one behind the other, and said to change', () => {
    const draft = new Draft()
    for (const [i, part] of (
      [
        [0, 5],
        [5, 9],
      ] as const
    ).entries()) {
      const entry = new DraftEntry('message', { line: 1, part }, { bytes: 1, ordinal: i })
      entry.id = `p${i}`
      draft.append(entry)
    }
    draft.last?.setParent('p0')
    expect(shown(repairPlan(draft, [], NO_REASONS, null))).toEqual({
      steps: ['change 1 p0: goes on from the beginning', 'change 1 p1: goes on from p0'],
      lines: [[1, ['1 0,5', '1 5,9*']]],
      carried: [],
    })
  })
})
