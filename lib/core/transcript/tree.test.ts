import { describe, expect, it } from 'vitest'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { Branches, ROOT } from './branches'

type Write = (t: TranscriptBuilder) => void

function treeOf(write: Write, header: object = {}): Branches {
  const t = new TranscriptBuilder({ ...header })
  write(t)
  return Branches.of(t.facts())
}

const all =
  (...writes: readonly Write[]): Write =>
  (t) => {
    for (const write of writes) write(t)
  }

const grown = (...writes: readonly Write[]) => treeOf(all(...writes))
const user =
  (over: object = {}): Write =>
  (t) =>
    t.user('x', { ...over })
const compact =
  (kept: string, over: object = {}): Write =>
  (t) =>
    t.compaction('s', kept, { ...over })

/** Entries of version 1, which have neither ids nor parents. */
const oldOnes =
  (...entries: readonly object[]): Write =>
  (t) => {
    for (const entry of entries) t.raw(JSON.stringify(entry))
  }
const USER = { type: 'message', message: { role: 'user', content: 'x' } }
const compaction = (firstKeptEntryIndex: number) => ({
  type: 'compaction',
  summary: 's',
  firstKeptEntryIndex,
})

/** The index in the path of the first entry that the last boundary keeps, and the entry that it names. */
function kept(tree: Branches): [number, number] {
  const path = tree.path(tree.leaf)
  const at = path.findLastIndex((seq) => tree.facts[seq]?.type === 'compaction')
  const fact = tree.facts[path[at] ?? ROOT]
  return [tree.firstKept(path, at), fact === undefined ? ROOT : tree.namedByBoundary(fact)]
}

describe('D11 what a compaction keeps, in the tree', () => {
  it.each<[string, Branches, [number, number]]>([
    ['the entry that it names', grown(user(), user(), compact('e2')), [1, 2]],
    [
      'nothing, where it names none',
      grown(user(), (t) => t.entry('compaction', { summary: 's' })),
      [-1, ROOT],
    ],
    ['nothing of an entry that is not there', grown(user(), compact('gone')), [-1, ROOT]],
    [
      'nothing of an entry on another branch',
      grown(user(), user(), compact('e2', { parentId: 'e1' })),
      [-1, 2],
    ],
    ['nothing of itself', grown(user(), compact('e2')), [-1, 2]],
    [
      'of version 1, by its place in the file',
      treeOf(oldOnes(USER, USER, compaction(2)), { version: 1 }),
      [1, 2],
    ],
    [
      'of version 1, nothing where that is the header',
      treeOf(oldOnes(USER, USER, compaction(0)), { version: 1 }),
      [-1, 0],
    ],
    [
      'of version 1, nothing behind the end',
      treeOf(oldOnes(USER, USER, compaction(9)), { version: 1 }),
      [-1, ROOT],
    ],
    ['of version 1, nothing of itself', treeOf(oldOnes(USER, USER, compaction(3)), { version: 1 }), [-1, 3]],
    [
      'of later versions, no place in the file',
      grown(user(), user(), (t) => t.entry('compaction', { firstKeptEntryIndex: 1 })),
      [-1, ROOT],
    ],
    [
      'of version 1, the entry that it names',
      treeOf(oldOnes(USER, USER, { type: 'compaction', summary: 's', firstKeptEntryId: '#2' }), {
        version: 1,
      }),
      [1, 2],
    ],
    [
      'of version 2, no place in the file',
      treeOf(all(user(), user(), compact('e2', { firstKeptEntryIndex: 1 })), { version: 2 }),
      [1, 2],
    ],
    [
      'of later versions, the entry that it names besides',
      grown(user(), user(), compact('e2', { firstKeptEntryIndex: 1 })),
      [1, 2],
    ],
  ])('%s', (_name, tree, expected) => {
    expect(kept(tree)).toEqual(expected)
  })

  it('of a place that holds no boundary is nothing', () => {
    const tree = treeOf(user())
    expect(tree.firstKept([], 0)).toBe(-1)
    expect(tree.firstKept([1], 0)).toBe(-1)
  })
})

describe('X5 the tree of a transcript', () => {
  it('knows whether a provider has compacted on its side', () => {
    expect(treeOf((t) => t.assistant('a', openaiAnswer())).hasCheckpoints).toBe(false)
    expect(treeOf((t) => t.assistant('a', openaiAnswer(checkpointRecord()))).hasCheckpoints).toBe(true)
  })

  it('is plain while each id is one entry’s and parents come before their children', () => {
    const plain = (write: Write) => treeOf(write).plain
    expect(plain(all(user(), user()))).toBe(true)
    expect(plain(all(user(), user({ parentId: null })))).toBe(true)
    expect(plain(all(user(), user({ id: 'e1' })))).toBe(false)
    expect(plain(user({ parentId: 'late' }))).toBe(true)
    expect(plain(all(user({ parentId: 'late' }), user({ id: 'late', parentId: null })))).toBe(false)
  })

  it('knows of parents that were not there', () => {
    const missing = (write: Write) => treeOf(write).hasMissingParents
    expect(missing(all(user(), user()))).toBe(false)
    expect(missing(user({ parentId: 'gone' }))).toBe(true)
    expect(missing(all(user({ parentId: 'late' }), user({ id: 'late', parentId: null })))).toBe(true)
    const reset: Write = (t) => t.entry('reset', { reason: 'new' })
    expect(missing(all(reset, user()))).toBe(false)
    expect(missing(all(reset, user({ parentId: 'gone' })))).toBe(true)
  })

  it('a line that cannot be read has a place where its beginning tells', () => {
    const tree = new Branches()
    const t = new TranscriptBuilder()
    t.user('a')
    for (const fact of t.facts()) tree.add(fact)
    const torn = {
      seq: 2,
      line: 3,
      offset: 0,
      bytes: 1,
      type: 'unreadable',
      parentId: 'e1',
      at: null,
    } as const
    tree.add({ ...torn, id: null })
    expect(tree.leaf).toBe(1)
    tree.add({ ...torn, seq: 3, id: 'u' })
    expect([tree.leaf, tree.path(tree.leaf)]).toEqual([3, [1, 3]])
  })

  it('of a later header takes nothing', () => {
    const tree = treeOf((t) => {
      t.user('a')
      t.raw('{"type":"session","version":4,"id":"s2"}')
      t.user('b', { parentId: 'gone' })
    })
    // Version 4 would hang it on the leaf.
    expect(tree.path(tree.leaf)).toEqual([3])
  })

  it('newer clients hang what has no parent on the leaf, as their header, a move or a reset tells', () => {
    const lost: Write = user({ parentId: 'gone' })
    const path = (write: Write, header: object = {}) => {
      const tree = treeOf(all(write, lost), header)
      return tree.path(tree.leaf).map((seq) => tree.facts[seq]?.id)
    }
    const asked: Write = user()
    expect(path(asked)).toEqual(['e2'])
    expect(path(asked, { version: 4 })).toEqual(['e1', 'e2'])
    expect(path(all(asked, (t) => t.entry('leaf', { targetId: 'e1' })))).toEqual(['e1', 'e3'])
    expect(path(all(asked, (t) => t.entry('reset', {})))).toEqual(['e1', 'e2', 'e3'])
  })

  it('nothing attaches to what was before a reset', () => {
    const tree = treeOf((t) => {
      t.user('a')
      t.entry('reset', {})
      t.user('b')
      t.user('c', { parentId: 'e1' })
      t.user('d', { parentId: 'e3' })
    })
    expect(tree.parentOf(4)).toBe(3)
    expect(tree.parentOf(5)).toBe(3)
  })

  it('nor does a ring of parents from before a reset', () => {
    const tree = treeOf((t) => {
      t.user('a', { parentId: 'e2' })
      t.user('b', { parentId: 'e1' })
      t.entry('reset', {})
      t.user('c', { parentId: 'e1' })
    })
    expect(tree.path(tree.leaf)).toEqual([])
    expect(tree.parentOf(4)).toBe(3)
  })

  it('of newer clients has branches, and more than one beginning', () => {
    const path = (...writes: Write[]) => {
      const tree = treeOf(all(...writes), { version: 4 })
      return tree.path(tree.leaf)
    }
    expect(path(user(), user(), user({ parentId: 'e1' }))).toEqual([1, 3])
    expect(path(user(), user({ parentId: null }))).toEqual([2])
  })

  it('of version 1 is a row, in which a move of the leaf leads back', () => {
    const tree = treeOf(oldOnes(USER, USER, { type: 'leaf', targetId: '#1' }, USER), { version: 1 })
    expect(tree.path(tree.leaf)).toEqual([1, 4])
  })

  it('of version 2 has the parents that are named', () => {
    const tree = treeOf(all(user(), user(), user({ parentId: 'e1' })), { version: 2 })
    expect(tree.path(tree.leaf)).toEqual([1, 3])
  })

  it('an entry beside the branch is not the leaf', () => {
    expect(grown(user(), (t) => t.entry('custom', { appendMode: 'side' })).leaf).toBe(1)
  })

  it('what names a move of the leaf as its parent is where that leads', () => {
    const tree = grown(
      user(),
      user(),
      (t) => t.entry('leaf', { targetId: 'e1' }),
      user(),
      user({ parentId: 'e3' }),
    )
    expect(tree.path(tree.leaf)).toEqual([1, 5])
  })

  it('is plain where newer clients replace a parent that comes later', () => {
    const late = all(user(), user({ parentId: 'late' }), user({ id: 'late' }))
    const tree = treeOf(late, { version: 4 })
    expect([tree.plain, tree.hasMissingParents, tree.path(tree.leaf)]).toEqual([true, true, [1, 2, 3]])
  })

  it('a move of the leaf has a parent too, which may be missing', () => {
    const moved = (over: object) =>
      treeOf(all(user(), user(), (t) => t.entry('leaf', { targetId: 'e1', ...over })))
    expect([moved({}).parentOf(3), moved({}).hasMissingParents]).toEqual([2, false])
    expect(moved({ parentId: 'gone' }).hasMissingParents).toBe(true)
  })

  it('finds an entry by its id, the last one of several', () => {
    const tree = grown(user(), user({ id: 'e1' }))
    expect([tree.withId('e1')?.seq, tree.withId('e2')]).toEqual([2, null])
  })

  it('has nowhere to go from the root, nor from an entry that is not there', () => {
    const tree = new Branches()
    expect([tree.leaf, tree.path(ROOT), tree.parentOf(5), tree.facts]).toEqual([ROOT, [], ROOT, []])
    expect(grown(user(), user({ id: 'e1' })).parentOf(5)).toBe(ROOT)
    // Nor has the header a parent.
    expect(grown(user()).parentOf(0)).toBe(ROOT)
  })
})
