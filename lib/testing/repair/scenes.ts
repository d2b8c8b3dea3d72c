import type { TranscriptBuilder } from '../builders/transcript'

type Outcome = { readonly found: readonly string[]; readonly after: readonly string[] }
/** A damaged conversation, what is found in it (`line class → lines or ids that the fix names`), and what is there then. */
export type Scene = Outcome & {
  readonly name: string
  readonly make: (t: TranscriptBuilder) => void
  readonly edit?: (text: string) => string
  readonly steps: string
  /** Where the rules of early runtimes say something else. */
  readonly early?: Outcome
}

export const SCENES: readonly Scene[] = [
  {
    name: 'an answer between a call and its result',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a', 'b'] })
      t.result('a', '1')
      t.user('and?')
      t.result('b', '2')
      t.assistant('done')
    },
    found: ['6 displaced-result → 3'],
    after: [
      'e1<- user',
      'e2<e1 assistant a,b',
      'e3<e2 toolResult a',
      'e5<e3 toolResult b',
      'e4<e5 user',
      'e6<e4 assistant',
    ],
    steps: 'change 5 · move 6 · change 7',
  },
  {
    name: 'a result that no call asked for, and one that comes twice',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.result('x', '0')
      t.result('a', '1')
      t.result('a', '2')
      t.assistant('done')
    },
    found: ['4 orphan-result', '6 duplicate-result → 5'],
    after: ['e1<- user', 'e2<e1 assistant a', 'e4<e2 toolResult a', 'e6<e4 assistant'],
    steps: 'drop 4 · change 5 · drop 6 · change 7',
  },
  {
    name: 'a call without a result, at the end and before the end',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.user('well?')
      t.assistant('', { calls: ['b', 'c'] })
      t.result('c', '3')
    },
    found: ['3 missing-result', '5 missing-result'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'repair-90814a21<e2 toolResult a',
      'e3<repair-90814a21 user',
      'e4<e3 assistant b,c',
      'e5<e4 toolResult c',
      'repair-9b31d98a<e5 toolResult b',
    ],
    steps: 'insert 3 · change 4 · insert 5',
  },
  {
    name: 'a result before its call',
    make: (t) => {
      t.user('go')
      t.result('a', '1')
      t.assistant('', { calls: ['a'] })
      t.user('next')
    },
    found: ['3 displaced-result → 4'],
    after: ['e1<- user', 'e3<e1 assistant a', 'e2<e3 toolResult a', 'e4<e2 user'],
    steps: 'change 3 · move 4 · change 5',
    early: {
      found: ['3 orphan-result', '4 missing-result'],
      after: ['e1<- user', 'e3<e1 assistant a', 'repair-f50dfa02<e3 toolResult a', 'e4<repair-f50dfa02 user'],
    },
  },
  {
    name: 'results of a failed turn',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'], stop: 'error' })
      t.result('a', '1')
      t.assistant('', { calls: ['b'], stop: 'aborted' })
      t.user('again')
      t.result('b', '2')
    },
    found: [],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e3<e2 toolResult a',
      'e4<e3 assistant b',
      'e5<e4 user',
      'e6<e5 toolResult b',
    ],
    steps: '',
  },
  {
    name: 'a result without an id',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.message({ role: 'toolResult', toolName: 'exec', content: [] })
      t.assistant('', { calls: ['b', 'c'] })
      t.message({ role: 'toolResult', toolName: 'exec', content: [] })
      t.result('b', 'x')
      t.result('c', 'y')
    },
    found: ['4 unnamed-result', '6 orphan-result'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e3<e2 toolResult a',
      'e4<e3 assistant b,c',
      'e6<e4 toolResult b',
      'e7<e6 toolResult c',
    ],
    steps: 'change 4 · drop 6 · change 7',
    early: {
      found: ['3 missing-result', '4 orphan-result', '6 orphan-result'],
      after: [
        'e1<- user',
        'e2<e1 assistant a',
        'repair-90814a21<e2 toolResult a',
        'e4<repair-90814a21 assistant b,c',
        'e6<e4 toolResult b',
        'e7<e6 toolResult c',
      ],
    },
  },
  {
    name: 'a result without an id, of another tool',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.message({ role: 'toolResult', toolName: 'read', content: [] })
    },
    found: ['3 missing-result', '4 orphan-result'],
    after: ['e1<- user', 'e2<e1 assistant a', 'repair-90814a21<e2 toolResult a'],
    steps: 'insert 3 · drop 4',
  },
  {
    name: 'a stand-in and the real result',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.message({
        role: 'toolResult',
        toolCallId: 'a',
        toolName: 'exec',
        isError: true,
        content: [
          {
            type: 'text',
            text: '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
          },
        ],
      })
      t.result('a', 'real')
      t.user('next')
    },
    found: ['4 duplicate-result → 5'],
    after: ['e1<- user', 'e2<e1 assistant a', 'e4<e2 toolResult a', 'e5<e4 user'],
    steps: 'drop 4 · change 5',
    early: {
      found: ['5 duplicate-result → 4'],
      after: ['e1<- user', 'e2<e1 assistant a', 'e3<e2 toolResult a', 'e5<e3 user'],
    },
  },
  {
    name: 'a stand-in by its details',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.message({
        role: 'toolResult',
        toolCallId: 'a',
        isError: true,
        content: [],
        details: { openclawSyntheticMissingToolResult: true },
      })
      t.result('a', 'real')
    },
    found: ['4 duplicate-result → 5'],
    after: ['e1<- user', 'e2<e1 assistant a', 'e4<e2 toolResult a'],
    steps: 'drop 4 · change 5',
    early: {
      found: ['5 duplicate-result → 4'],
      after: ['e1<- user', 'e2<e1 assistant a', 'e3<e2 toolResult a'],
    },
  },
  {
    name: 'an id used by two calls',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.result('a', '1')
      t.assistant('', { calls: ['a'] })
      t.user('?')
      t.result('a', '2')
    },
    found: ['7 displaced-result → 5'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e3<e2 toolResult a',
      'e4<e3 assistant a',
      'e6<e4 toolResult a',
      'e5<e6 user',
    ],
    steps: 'change 6 · move 7',
  },
  {
    name: 'what is allowed between a call and its result, and what may not',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a', 'b', 'c', 'd'] })
      t.entry('custom', { data: 1 })
      t.result('a', '1')
      t.entry('branch_summary', { summary: ' ', fromId: 'e1' })
      t.result('b', '2')
      t.message({ role: 'bashExecution', command: 'ls', excludeFromContext: true })
      t.result('c', '3')
      t.entry('custom_message', { content: 'c' })
      t.result('d', '4')
    },
    found: ['11 displaced-result → 3'],
    after: [
      'e1<- user',
      'e2<e1 assistant a,b,c,d',
      'e3<e2 custom',
      'e4<e3 toolResult a',
      'e5<e4 branch_summary',
      'e6<e5 toolResult b',
      'e7<e6 bashExecution',
      'e8<e7 toolResult c',
      'e10<e8 toolResult d',
      'e9<e10 custom_message',
    ],
    steps: 'change 10 · move 11',
  },
  {
    name: 'a mirrored delivery between a call and its result',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.assistant('sent', { model: 'delivery-mirror', fields: { provider: 'openclaw' } })
      t.result('a', '1')
    },
    found: [],
    after: ['e1<- user', 'e2<e1 assistant a', 'e3<e2 assistant', 'e4<e3 toolResult a'],
    steps: '',
  },
  {
    name: 'a message of another provider under the name of a mirror',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.assistant('sent', { model: 'delivery-mirror' })
      t.result('a', '1')
    },
    found: ['5 displaced-result → 3'],
    after: ['e1<- user', 'e2<e1 assistant a', 'e4<e2 toolResult a', 'e3<e4 assistant'],
    steps: 'change 4 · move 5',
    early: {
      found: ['3 missing-result', '5 orphan-result'],
      after: [
        'e1<- user',
        'e2<e1 assistant a',
        'repair-90814a21<e2 toolResult a',
        'e3<repair-90814a21 assistant',
      ],
    },
  },
  {
    name: 'a branch summary with words between a call and its result',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.entry('branch_summary', { summary: 'x', fromId: 'e1' })
      t.result('a', '1')
    },
    found: ['5 displaced-result → 3'],
    after: ['e1<- user', 'e2<e1 assistant a', 'e4<e2 toolResult a', 'e3<e4 branch_summary'],
    steps: 'change 4 · move 5',
  },
  {
    name: 'a compaction that keeps a result without its call',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      const r = t.result('a', '1')
      t.user('on')
      t.compaction('s', r)
      t.user('next')
    },
    found: ['6 split-pair → 3'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e3<e2 toolResult a',
      'e4<e3 user',
      'e5<e4 compaction e2',
      'e6<e5 user',
    ],
    steps: 'change 6',
  },
  {
    name: 'a compaction that names an entry that is not there',
    make: (t) => {
      t.user('go')
      t.user('on')
      t.compaction('s', 'nowhere')
      t.user('next')
    },
    found: ['4 dangling-first-kept'],
    after: ['e1<- user', 'e2<e1 user', 'e3<e2 compaction e3', 'e4<e3 user'],
    steps: 'change 4',
  },
  {
    name: 'a leaf that leads nowhere, and one that leads back',
    make: (t) => {
      t.user('go')
      t.user('on')
      t.entry('leaf', { targetId: 'nowhere' })
      t.entry('leaf', { targetId: 'e1' })
      t.user('next', { parentId: 'e1' })
    },
    found: ['4 dangling-leaf'],
    after: ['e1<- user', 'e2<e1 user', 'e4<e2 leaf e1', 'e5<e1 user'],
    steps: 'drop 4 · change 5',
  },
  {
    name: 'two entries of one id',
    make: (t) => {
      t.user('go')
      t.assistant('one')
      t.user('on', { id: 'e2' })
      t.assistant('two')
    },
    found: ['4 duplicate-id → 4380d0ea 3'],
    after: ['e1<- user', 'e2<e1 assistant', '4380d0ea<e2 user', 'e4<4380d0ea assistant'],
    steps: 'change 4 · change 5',
  },
  {
    name: 'a line that is there twice',
    make: (t) => {
      t.user('go')
      t.assistant('one')
      t.raw(t.lines[2] ?? '')
      t.user('on')
    },
    found: ['4 duplicate-entry → 3'],
    after: ['e1<- user', 'e2<e1 assistant', 'e3<e2 user'],
    steps: 'drop 4',
  },
  {
    name: 'an entry before its parent',
    make: (t) => {
      t.user('go')
      t.assistant('one')
      t.user('on')
      t.assistant('two')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[1], l[3], l[2], l[4], ''].join('\n')
    },
    found: ['4 late-parent → 2'],
    after: ['e1<- user', 'e2<e1 assistant', 'e3<e2 user', 'e4<e3 assistant'],
    steps: 'move 4',
  },
  {
    name: 'a parent that is not there, and an entry that is its own parent',
    make: (t) => {
      t.user('go')
      t.user('on', { parentId: 'ffffffff' })
      t.user('self', { id: 'e9', parentId: 'e9' })
      t.user('end')
    },
    found: ['3 broken-parent → 2', '4 cycle → 3'],
    after: ['e1<- user', 'e2<e1 user', 'e9<e2 user', 'e4<e9 user'],
    steps: 'change 3 · change 4',
  },
  {
    name: 'entries without ids',
    make: (t) => {
      t.user('go')
      t.user('on', { id: null })
      t.user('end')
    },
    found: ['3 missing-id → 66b26df4'],
    after: ['e1<- user', '66b26df4<e1 user', 'e3<- user'],
    steps: 'change 3',
  },
  {
    name: 'a torn line that named its parent',
    make: (t) => {
      t.user('go')
      t.user('torn')
      t.user('after')
      t.user('end')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[0], l[1], (l[2] ?? '').slice(0, 60), l[3], l[4], ''].join('\n')
    },
    found: ['3 unparseable-line'],
    after: ['e1<- user', 'e3<e1 user', 'e4<e3 user'],
    steps: 'drop 3 · change 4',
  },
  {
    name: 'a header that comes late, and another one',
    make: (t) => {
      t.user('go')
      t.raw('{"type":"session","version":3,"id":"s2"}')
      t.user('on')
    },
    edit: (text) => {
      const l = text.split('\n')
      return [l[1], l[0], l[2], l[3], ''].join('\n')
    },
    found: ['2 late-header', '3 second-header → 2'],
    after: ['e1<- user', 'e2<e1 user'],
    steps: 'move 2 · drop 3',
  },
  {
    name: 'calls through the Responses API without an answer',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'], fields: { api: 'openai-responses' } })
      t.user('on')
    },
    found: ['3 missing-result'],
    after: ['e1<- user', 'e2<e1 assistant a', 'repair-90814a21<e2 toolResult a', 'e3<repair-90814a21 user'],
    steps: 'insert 3 · change 4',
  },
  {
    name: 'a result on a branch that was left',
    make: (t) => {
      t.user('go')
      t.assistant('', { calls: ['a'] })
      t.user('in between')
      const r = t.result('a', '1')
      t.user('on')
      t.user('side', { parentId: r, id: 'side' })
    },
    found: ['5 displaced-result → 3'],
    after: [
      'e1<- user',
      'e2<e1 assistant a',
      'e4<e2 toolResult a',
      'e3<e4 user',
      'e5<e3 user',
      'side<e3 user',
    ],
    steps: 'change 4 · move 5 · change 6 · change 7',
  },
]
