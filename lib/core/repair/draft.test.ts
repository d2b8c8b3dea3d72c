import { describe, expect, it } from 'vitest'
import { Draft, DraftEntry } from './draft'

type Fields = Readonly<Record<string, unknown>>

let ordinal = 0
function entry(id: string | null, parentId: string | null = null): DraftEntry {
  const made = new DraftEntry('message', { line: ++ordinal }, { bytes: 1, ordinal })
  made.id = id
  made.parentId = parentId
  return made
}

function draftOf(...names: string[]) {
  const entries = names.map((name, i) => entry(name, names[i - 1] ?? null))
  const draft = new Draft()
  for (const one of entries) draft.append(one)
  const at = (name: string) => entries.find(({ id }) => id === name) as DraftEntry
  return { draft, at }
}

/** Both ways through must tell the same. */
function order(draft: Draft): string {
  const forward = [...draft].map(({ id }) => id)
  const backward: (string | null)[] = []
  for (let at = draft.last; at !== null; at = at.before) backward.push(at.id)
  expect(backward.reverse()).toEqual(forward)
  expect(draft.size).toBe(forward.length)
  return forward.join('')
}

describe('the entries of a repair in order', () => {
  it('are empty at first, and grow at the end', () => {
    expect(order(new Draft())).toBe('')
    const { draft } = draftOf('a', 'b', 'c')
    expect(order(draft)).toBe('abc')
    expect([draft.first?.id, draft.last?.id]).toEqual(['a', 'c'])
  })

  it.each([
    [null, 'xabc'],
    ['a', 'axbc'],
    ['b', 'abxc'],
    ['c', 'abcx'],
  ])('take one behind %s', (anchor, expected) => {
    const { draft, at } = draftOf('a', 'b', 'c')
    const { revision } = draft
    draft.insertAfter(anchor === null ? null : at(anchor), entry('x'))
    expect(order(draft)).toBe(expected)
    expect(draft.revision).toBeGreaterThan(revision)
  })

  it.each([
    ['a', 'bc'],
    ['b', 'ac'],
    ['c', 'ab'],
  ])('let %s go, and remember what it followed', (name, expected) => {
    const { draft, at } = draftOf('a', 'b', 'c')
    const { revision } = draft
    draft.remove(at(name))
    expect(order(draft)).toBe(expected)
    expect(at(name).dropped).toBe(true)
    expect(draft.removed).toEqual([at(name)])
    expect(draft.gone.get(name)).toBe(at(name).parentId)
    expect(draft.revision).toBeGreaterThan(revision)
  })

  it('the last of them may go, too', () => {
    const { draft, at } = draftOf('a')
    draft.remove(at('a'))
    expect(order(draft)).toBe('')
    expect([draft.first, draft.last]).toEqual([null, null])
  })

  it('one may go while they are gone through', () => {
    const { draft } = draftOf('a', 'b', 'c', 'd')
    for (const one of draft) if (one.id === 'b' || one.id === 'c') draft.remove(one)
    expect(order(draft)).toBe('ad')
  })

  it('what never was among them is remembered as gone; the first of an id is what counts', () => {
    const { draft } = draftOf('a')
    draft.forget(entry('x', 'a'))
    draft.forget(entry('x', 'other'))
    draft.forget(entry(null, 'a'))
    expect([...draft.gone]).toEqual([['x', 'a']])
    expect(draft.removed.map(({ id }) => id)).toEqual(['x', 'x', null])
    expect(order(draft)).toBe('a')
  })

  it.each([
    ['a', 'c', 'bcad'],
    ['d', 'a', 'adbc'],
    ['b', 'd', 'acdb'],
    ['c', 'd', 'abdc'],
  ])('%s moves behind %s', (name, anchor, expected) => {
    const { draft, at } = draftOf('a', 'b', 'c', 'd')
    draft.move(at(name), at(anchor))
    expect(order(draft)).toBe(expected)
  })

  it('what is there already does not move, and nothing is a change', () => {
    const { draft, at } = draftOf('a', 'b')
    const { revision } = draft
    draft.move(at('b'), at('a'))
    draft.move(at('a'), at('a'))
    expect(order(draft)).toBe('ab')
    expect(draft.revision).toBe(revision)
  })

  it('one goes to the front, and all into any order', () => {
    const { draft, at } = draftOf('a', 'b', 'c')
    draft.toFront(at('c'))
    expect(order(draft)).toBe('cab')
    draft.reorder([at('b'), at('c'), at('a')])
    expect(order(draft)).toBe('bca')
    expect(draft.number().map(({ id, seq }) => `${id}${seq}`)).toEqual(['b0', 'c1', 'a2'])
  })
})

describe('what changes of an entry', () => {
  it('nothing, as long as it says what the file says', () => {
    const one = entry('a', 'b')
    expect(one.changes()).toEqual([])
    one.setParent('c')
    one.setParent('b')
    one.setId('x')
    one.setId('a')
    expect(one.changes()).toEqual([])
  })

  it('its id, its parent, and what was edited before them', () => {
    const one = entry('a', 'b')
    one.edit({ remove: ['x', 0] })
    one.setId('n')
    one.edit({ remove: ['x', 1] }, { set: ['y'], value: '1' })
    one.setParent(null)
    expect(one.changes()).toEqual([
      { remove: ['x', 0] },
      { remove: ['x', 1] },
      { set: ['y'], value: '1' },
      { set: ['id'], value: '"n"' },
      { set: ['parentId'], value: 'null' },
    ])
  })

  it('a parent that was not written is one that is written then, though it is the beginning', () => {
    const one = entry('a')
    one.parentless = true
    one.setParent(null)
    expect(one.parentless).toBe(false)
    expect(one.changes()).toEqual([{ set: ['parentId'], value: 'null' }])
  })

  it('represents a line, a part of one, or something that was made', () => {
    const place = { bytes: 1, ordinal: 0 }
    const line = new DraftEntry('message', { line: 2 }, place)
    const part = new DraftEntry('message', { line: 2, part: [3, 9] }, place)
    const made = new DraftEntry('message', { line: 2 }, place, '{}')
    expect([line, part, made].map(({ isLine }) => isLine)).toEqual([true, false, false])
    expect([line, part, made].map((one) => one.part)).toEqual([undefined, [3, 9], undefined])
    expect([line, part, made].map((one) => one.made)).toEqual([null, null, '{}'])
    expect(line.offset).toBe(0)
  })

  it('says of what few entries have whether it has it', () => {
    const bare = entry('a')
    const rich = entry('a')
    const fields = {
      ...{ rawType: 'x', side: true, transcriptOnly: true, excluded: true, blank: true, checkpointed: true },
      ...{ firstKeptEntryId: 'k', firstKeptIndex: 1, kept: bare, targetId: 't', unusable: 'why' },
      ...{ header: { version: 3, sessionId: 's' }, made: '{}', part: [1, 2], flaws: ['no-content'] },
    } as const
    Object.assign(rich.more, fields)
    expect(rich).toMatchObject(fields)
    const changed = entry('a')
    changed.setParent('b')
    const none: Fields = { kept: null, made: null, checkpointed: false, flaws: [] }
    for (const name of Object.keys(fields))
      for (const one of [bare, changed]) expect([name, Reflect.get(one, name)]).toEqual([name, none[name]])
  })
})

describe('whether an entry is to name another parent', () => {
  it('not where nothing was changed, nor where only its id was', () => {
    const entry = new DraftEntry('message', { line: 1 }, { bytes: 1, ordinal: 0 })
    expect(entry.hasNewParent).toBe(false)
    entry.setId('a')
    expect(entry.hasNewParent).toBe(false)
    entry.setParent('b')
    expect(entry.hasNewParent).toBe(true)
  })
})
