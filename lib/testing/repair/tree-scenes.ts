import type { Scene } from './scenes'

/** Damage to the tree: parents, order, leaves and what compactions keep. */
export const TREE_SCENES: readonly Scene[] = [
  {
    name: 'two entries that are each other’s parents',
    make: (t) => {
      t.user('go')
      t.user('a', { id: 'a1', parentId: 'b1' })
      t.user('b', { id: 'b1', parentId: 'a1' })
      t.user('on')
    },
    found: ['3 cycle → 2'],
    after: ['e1<- user', 'a1<e1 user', 'b1<a1 user', 'e4<b1 user'],
    steps: 'change 3',
  },
  {
    name: 'a cycle of three behind a sound beginning',
    make: (t) => {
      t.user('go')
      t.user('a', { id: 'a1', parentId: 'c1' })
      t.user('b', { id: 'b1', parentId: 'a1' })
      t.user('c', { id: 'c1', parentId: 'b1' })
    },
    found: ['3 cycle → 2'],
    after: ['e1<- user', 'a1<e1 user', 'b1<a1 user', 'c1<b1 user'],
    steps: 'change 3',
  },
  {
    name: 'a missing parent behind a leaf and a side entry',
    make: (t) => {
      t.user('go')
      t.entry('custom', { appendMode: 'side' })
      t.entry('leaf', { targetId: 'e1' })
      t.user('on', { parentId: 'ffffffff' })
      t.user('end')
    },
    found: ['5 broken-parent → 2'],
    after: ['e1<- user', 'e2<e1 custom', 'e3<e2 leaf e1', 'e4<e1 user', 'e5<e4 user'],
    steps: 'change 5',
  },
  {
    name: 'a missing parent that others name as well',
    make: (t) => {
      t.user('go')
      t.user('a', { parentId: 'ffffffff' })
      t.user('b', { parentId: 'ffffffff' })
      t.user('end')
    },
    found: ['3 broken-parent → 2', '4 broken-parent → 3'],
    after: ['e1<- user', 'e2<e1 user', 'e3<e2 user', 'e4<e3 user'],
    steps: 'change 3 · change 4',
  },
  {
    name: 'a missing parent of the first entry',
    make: (t) => {
      t.user('go', { parentId: 'ffffffff' })
      t.user('on')
    },
    found: ['2 broken-parent'],
    after: ['e1<- user', 'e2<e1 user'],
    steps: 'change 2',
  },
  {
    name: 'two torn lines in a row, each named by the next',
    make: (t) => {
      t.user('one')
      t.user('two')
      t.user('three')
      t.user('four')
      t.user('end')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[1], (l[2] ?? '').slice(0, 70), (l[3] ?? '').slice(0, 70), l[4], l[5], ''].join('\n')
    },
    found: ['3 unparseable-line', '4 unparseable-line'],
    after: ['e1<- user', 'e4<e1 user', 'e5<e4 user'],
    steps: 'drop 3 · drop 4 · change 5',
  },
  {
    name: 'a compaction that keeps from a torn line on',
    make: (t) => {
      t.user('one')
      t.user('two')
      t.user('three')
      t.compaction('s', 'e2')
      t.user('end')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[1], (l[2] ?? '').slice(0, 70), l[3], l[4], l[5], ''].join('\n')
    },
    found: ['3 unparseable-line'],
    after: ['e1<- user', 'e3<e1 user', 'e4<e3 compaction e3', 'e5<e4 user'],
    steps: 'drop 3 · change 4 · change 5',
  },
  {
    name: 'a compaction that keeps from a doubled result on',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.result('a', '1')
      const r = t.result('a', '2')
      t.user('on')
      t.compaction('s', r)
      t.user('end')
    },
    found: ['5 duplicate-result → 4', '7 split-pair → 3'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e3<e2 toolResult a',
      'e5<e3 user',
      'e6<e5 compaction e2',
      'e7<e6 user',
    ],
    steps: 'drop 5 · change 6 · change 7',
  },
  {
    name: 'a leaf that leads to an entry that was dropped',
    make: (t) => {
      t.user('go')
      const x = t.message({ role: null, content: 'x' })
      t.user('on', { parentId: 'e1' })
      t.entry('leaf', { targetId: x })
      t.user('end')
    },
    found: ['3 no-role'],
    after: ['e1<- user', 'e3<e1 user', 'e4<e3 leaf e1', 'e5<e4 user'],
    steps: 'drop 3 · change 5',
  },
  {
    name: 'a leaf that leads to the end of a branch that got a result',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.entry('leaf', { targetId: 'e2' })
    },
    found: ['3 missing-result'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'repair-90814a21<e2 toolResult a',
      'e3<e2 leaf repair-90814a21',
    ],
    steps: 'insert 3 · change 4',
  },
  {
    name: 'entries in the opposite order',
    make: (t) => {
      t.user('one')
      t.user('two')
      t.user('three')
      t.user('four')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[4], l[3], l[2], l[1], ''].join('\n')
    },
    found: ['3 late-parent → 4', '4 late-parent → 5', '5 late-parent → 1'],
    after: ['e1<- user', 'e2<e1 user', 'e3<e2 user', 'e4<e3 user'],
    steps: 'move 3 · move 4 · move 5',
  },
  {
    name: 'a branch whose parent comes later',
    make: (t) => {
      t.user('one')
      t.user('two')
      t.user('three')
      t.user('side', { id: 'side', parentId: 'e2' })
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[1], l[4], l[2], l[3], ''].join('\n')
    },
    found: ['4 late-parent → 2'],
    after: ['e1<- user', 'e2<e1 user', 'side<e2 user', 'e3<e2 user'],
    steps: 'move 4',
  },
  {
    name: 'a call with a time as a number, and one without any',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'], over: { timestamp: 1_760_000_000_000 } })
      t.user('on')
      t.assistant('', { calls: ['b'], over: { timestamp: undefined } })
    },
    found: ['3 missing-result', '5 missing-result'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'repair-90814a21<e2 toolResult a',
      'e3<repair-90814a21 user',
      'e4<e3 assistant b',
      'repair-9b31d98a<e4 toolResult b',
    ],
    steps: 'insert 3 · change 4 · insert 5',
  },
]
