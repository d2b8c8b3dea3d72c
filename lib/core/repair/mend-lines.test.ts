import { describe, expect, it } from 'vitest'
import { playScene } from '../../testing/repair/play-scene'
import {
  type Case,
  calls,
  compaction,
  entry,
  expectScene,
  from,
  leaf,
  result,
  textOfScene,
  unfit,
  user,
} from '../../testing/repair/scene-lines'

describe('M10 parents', () => {
  it.each<Case>([
    ['the first entry needs none', [user('a', undefined), user('b', 'a')], [], ['a<- user', 'b<a user'], ''],
    [
      'any other one that names none follows the entry before it',
      [user('a', null), user('b', undefined), user('c', 'b'), user('d', '')],
      ['3 broken-parent → 2', '5 broken-parent → 4'],
      ['a<- user', 'b<a user', 'c<b user', 'd<c user'],
      'change 3 · change 5',
    ],
    [
      'a beginning that says that it is one stays',
      [user('a', null), user('b', null), user('c', 'b')],
      [],
      ['a<- user', 'b<- user', 'c<b user'],
      '',
    ],
    [
      'an unknown parent with only jumps and entries beside the conversation before it is the beginning',
      [leaf('l', null, null), entry('custom', 'x', 'l', { appendMode: 'side' }), user('a', 'zz')],
      ['4 broken-parent'],
      ['l<- leaf ', 'x<l custom', 'a<- user'],
      'change 4',
    ],
    [
      'what followed entries that cannot stay follows the nearest one that can',
      [user('a', null), unfit('b', 'a'), unfit('c', 'b'), user('d', 'c')],
      ['3 no-role', '4 no-role'],
      ['a<- user', 'd<a user'],
      'drop 3 · drop 4 · change 5',
    ],
    [
      'or is the beginning, where none can',
      [unfit('b', null), user('d', 'b')],
      ['2 no-role'],
      ['d<- user'],
      'drop 2 · change 3',
    ],
    [
      'one that cannot stay and had an unknown parent leads nowhere',
      [user('a', null), user('x', 'a'), unfit('b', 'zz'), user('d', 'b')],
      ['4 no-role', '5 broken-parent → 3'],
      ['a<- user', 'x<a user', 'd<x user'],
      'drop 4 · change 5',
    ],
    [
      'nor do those that were each other’s parents',
      [user('a', null), unfit('b', 'c'), unfit('c', 'b'), user('d', 'c')],
      ['3 no-role', '4 no-role', '5 broken-parent → 2'],
      ['a<- user', 'd<a user'],
      'drop 3 · drop 4 · change 5',
    ],
    [
      'of an id that one bears who cannot stay, the one who can counts',
      [user('a', null), unfit('b', null), user('b', 'a'), user('c', 'b')],
      ['3 no-role'],
      ['a<- user', 'b<a user', 'c<b user'],
      'drop 3',
    ],
    [
      'that holds as well where another one that cannot stay followed it',
      [user('a', null), unfit('d', 'a'), user('d', 'a'), unfit('c', 'd'), user('e', 'c')],
      ['3 no-role', '5 no-role'],
      ['a<- user', 'd<a user', 'e<d user'],
      'drop 3 · drop 5 · change 6',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 a jump to a call', () => {
  it.each<Case>([
    [
      'leads behind its result, which was before it and was moved',
      [user('a', null), result('r', 'a', 'x'), calls('c', 'r', 'x'), leaf('l', 'c', 'c')],
      ['3 displaced-result → 4'],
      ['a<- user', 'c<a assistant x', 'r<c toolResult x', 'l<c leaf r'],
      'change 3 · move 4 · change 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 circles', () => {
  it.each<Case>([
    [
      'what leads to a circle, and comes before it, is not one',
      [user('a', 'c'), user('b', 'a'), user('c', 'c'), user('d', 'c')],
      ['4 cycle', '4 late-parent → 1'],
      ['c<- user', 'a<c user', 'b<a user', 'd<c user'],
      'move 4',
    ],
    ['its own parent', [user('a', 'a'), user('b', 'a')], ['2 cycle'], ['a<- user', 'b<a user'], 'change 2'],
    [
      'at the beginning, opened where it begins',
      [user('a', 'c'), user('b', 'a'), user('c', 'b'), user('d', 'c')],
      ['2 cycle'],
      ['a<- user', 'b<a user', 'c<b user', 'd<c user'],
      'change 2',
    ],
    [
      'two, each opened by itself',
      [user('r', null), user('a', 'b'), user('b', 'a'), user('c', 'd'), user('d', 'c'), user('e', 'r')],
      ['3 cycle → 2', '5 cycle → 4'],
      ['r<- user', 'a<r user', 'b<a user', 'c<b user', 'd<c user', 'e<r user'],
      'change 3 · change 5',
    ],
    [
      'goes on from an entry before it that does not follow from it',
      [user('r', null), user('x', 'b'), user('a', 'b'), user('b', 'a'), user('e', 'x')],
      ['3 late-parent → 5', '4 cycle → 2'],
      ['r<- user', 'a<r user', 'b<a user', 'x<b user', 'e<x user'],
      'move 3 · change 4',
    ],
    [
      'becomes a beginning where only entries beside the conversation are before it',
      [entry('custom', 's1', null, { appendMode: 'side' }), user('a', 'b'), user('b', 'a')],
      ['3 cycle'],
      ['s1<- custom', 'a<- user', 'b<a user'],
      'change 3',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 ids', () => {
  it.each<Case>([
    [
      'what differs in kind, role, parent or length is no copy; what does not, is',
      [
        user('a', null),
        user('b', 'a'),
        { ...user('b', 'a'), message: { role: 'assistant', content: 'say' } },
        user('b', null),
        entry('label', 'b', 'a'),
        user('b', 'a'),
      ],
      [
        ...['4 duplicate-id → 95dc4a59 3', '5 duplicate-id → 94dc48c6 3', '6 duplicate-id → 93dc4733 3'],
        '7 duplicate-entry → 3',
      ],
      ['a<- user', 'b<a user', '95dc4a59<a assistant', '94dc48c6<- user', '93dc4733<a label'],
      'change 4 · change 5 · change 6 · drop 7',
    ],
    [
      'results of two calls are no copies of each other',
      [user('a', null), calls('b', 'a', 'x', 'y'), result('r', 'b', 'x'), result('r', 'b', 'y')],
      ['3 missing-result', '5 duplicate-id → 6396fcf6 4'],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', '6396fcf6<b toolResult y'],
        'repair-61dbf87d<6396fcf6 toolResult x',
      ],
      'insert 3 · change 5',
    ],
    [
      'what names an id that was given twice follows the last one before it',
      [
        ...[user('a', null), user('b', 'a'), user('b', 'a', { k: 1 }), user('c', 'b')],
        ...[user('b', 'c', { k: 2 }), user('d', 'b')],
      ],
      ['4 duplicate-id → 95dc4a59 3', '6 duplicate-id → 93dc4733 3'],
      ['a<- user', 'b<a user', '95dc4a59<a user', 'c<95dc4a59 user', '93dc4733<c user', 'd<93dc4733 user'],
      'change 4 · change 5 · change 6 · change 7',
    ],
    [
      'an entry without one gets one, each another',
      [user(undefined, null), user(undefined, undefined), user('c', null)],
      ['2 missing-id → 67b26f87', '3 missing-id → 66b26df4', '3 broken-parent → 2'],
      ['67b26f87<- user', '66b26df4<67b26f87 user', 'c<- user'],
      'change 2 · change 3',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 order, jumps, and what is kept', () => {
  it.each<Case>([
    [
      'entries that wait for the same parent, or for each other, come behind it in their order',
      [user('a', null), user('d', 'c'), user('e', 'c'), user('f', 'd'), user('c', 'a'), user('z', 'f')],
      ['5 late-parent → 3', '6 late-parent → 2'],
      ['a<- user', 'c<a user', 'd<c user', 'f<d user', 'e<c user', 'z<f user'],
      'move 5 · move 6',
    ],
    [
      'a jump to a later entry leads nowhere, and what followed it goes on from where the conversation was',
      [user('a', null), leaf('l', 'a', 'c'), user('b', 'l'), user('c', 'b')],
      ['3 dangling-leaf'],
      ['a<- user', 'b<a user', 'c<b user'],
      'drop 3 · change 4',
    ],
    [
      'a jump to the beginning stays',
      [user('a', null), leaf('l', 'a', null), user('b', null)],
      [],
      ['a<- user', 'l<a leaf ', 'b<- user'],
      '',
    ],
    [
      'a jump to an entry that cannot stay leads to what that followed, here to the beginning',
      [unfit('x', null), user('a', null), leaf('l', 'a', 'x'), user('b', null)],
      ['2 no-role'],
      ['a<- user', 'l<a leaf ', 'b<- user'],
      'drop 2 · change 4',
    ],
    [
      'a jump without an id can go as well',
      [user('a', null), user('b', 'a'), leaf(undefined, 'b', 'zz'), user('c', 'b')],
      ['4 missing-id → 65b26c61', '4 dangling-leaf'],
      ['a<- user', 'b<a user', 'c<b user'],
      'drop 4',
    ],
    [
      'a compaction that keeps from an entry on that cannot stay, nor the next one, keeps from what they followed',
      [user('a', null), unfit('b', 'a'), unfit('c', 'b'), compaction('k', 'c', from('b')), user('d', 'k')],
      ['3 no-role', '4 no-role'],
      ['a<- user', 'k<a compaction a', 'd<k user'],
      'drop 3 · drop 4 · change 5',
    ],
    [
      'or names itself, where they followed nothing',
      [unfit('b', null), compaction('k', 'b', from('b')), user('d', 'k')],
      ['2 no-role'],
      ['k<- compaction k', 'd<k user'],
      'drop 2 · change 3',
    ],
    [
      'a reset keeps from the entry that came next',
      [
        ...[user('a', null), unfit('b', 'a'), user('c', 'b')],
        ...[entry('reset', 'k', 'c', from('b')), user('d', 'k')],
      ],
      ['3 no-role'],
      ['a<- user', 'c<a user', 'k<c reset c', 'd<k user'],
      'drop 3 · change 4 · change 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M12 M13 pairs', () => {
  it.each<Case>([
    [
      'a compaction that keeps the call may be between it and its result',
      [
        ...[user('a', null), calls('b', 'a', 'x', 'y'), result('r', 'b', 'x')],
        ...[compaction('k', 'r', from('b')), result('q', 'k', 'y'), user('z', 'q')],
      ],
      [],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', 'k<r compaction b', 'q<k toolResult y'],
        'z<q user',
      ],
      '',
    ],
    [
      'one that does not keep it may not',
      [
        ...[user('a', null), calls('b', 'a', 'x', 'y'), result('r', 'b', 'x'), user('m', 'r')],
        ...[compaction('k', 'm', from('m')), result('q', 'k', 'y'), user('z', 'q')],
      ],
      ['7 displaced-result → 3'],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', 'q<r toolResult y', 'm<q user'],
        ...['k<m compaction m', 'z<k user'],
      ],
      'change 5 · move 7 · change 8',
    ],
    [
      'a kept result has its call kept as well, where it is by then',
      [
        ...[user('a', null), calls('b', 'a', 'x'), calls('c', 'b', 'y'), result('q', 'c', 'y')],
        ...[result('r', 'q', 'x'), compaction('k', 'r', from('q')), user('z', 'k')],
      ],
      ['6 displaced-result → 3', '7 split-pair → 4'],
      [
        ...['a<- user', 'b<a assistant x', 'r<b toolResult x', 'c<r assistant y', 'q<c toolResult y'],
        ...['k<q compaction c', 'z<k user'],
      ],
      'change 4 · move 6 · change 7',
    ],
    ...(['reset', 'earlier compaction', 'compaction that keeps nothing'] as const).map((what): Case => {
      const [kind, keeps] =
        what === 'reset' ? ['reset', 'r'] : ['compaction', what.startsWith('earlier') ? 'r' : 'k']
      const boundary = { ...compaction('k', 'r', from(keeps)), type: kind }
      const more = what.startsWith('earlier')
        ? [user('m', 'k'), compaction('l', 'm', from('m')), user('z', 'l')]
        : [user('z', 'k')]
      const after = what.startsWith('earlier') ? ['m<k user', 'l<m compaction m', 'z<l user'] : ['z<k user']
      return [
        `a result alone behind the cut is left to runtimes: ${what}`,
        [user('a', null), calls('b', 'a', 'x'), result('r', 'b', 'x'), boundary, ...more],
        [],
        ['a<- user', 'b<a assistant x', 'r<b toolResult x', `k<r ${kind} ${keeps}`, ...after],
        '',
      ]
    }),
    [
      'branches that went on from a result that moves stay where they were; jumps lead to where the branch ends',
      [
        ...[user('a', null), calls('b', 'a', 'x'), user('m', 'b'), result('o', 'm', 'none')],
        ...[result('r', 'o', 'x'), user('n', 'r'), user('side', 'r'), leaf('l', 'side', 'n'), user('z', 'n')],
      ],
      ['5 orphan-result', '6 displaced-result → 3'],
      [
        ...['a<- user', 'b<a assistant x', 'r<b toolResult x', 'm<r user', 'n<m user', 'side<m user'],
        ...['l<side leaf n', 'z<n user'],
      ],
      'change 4 · drop 5 · move 6 · change 7 · change 8',
    ],
    [
      'a jump to the end of a branch goes with it, where that end is dropped',
      [user('a', null), user('b', 'a'), result('o', 'b', 'none'), leaf('l', 'o', 'o')],
      ['4 orphan-result'],
      ['a<- user', 'b<a user', 'l<b leaf b'],
      'drop 4 · change 5',
    ],
    [
      'and where it moves',
      [user('a', null), calls('b', 'a', 'x'), user('m', 'b'), result('r', 'm', 'x'), leaf('l', 'r', 'r')],
      ['5 displaced-result → 3'],
      ['a<- user', 'b<a assistant x', 'r<b toolResult x', 'm<r user', 'l<m leaf m'],
      'change 4 · move 5 · change 6',
    ],
    ['nothing may be left of a conversation', [result('o', null, 'x')], ['2 orphan-result'], [], 'drop 2'],
    [
      'several missing results come behind those that are there, in the order of their calls',
      [calls('b', null, 'x', 'y', 'z'), result('r', 'b', 'y'), user('c', 'r')],
      ['2 missing-result', '2 missing-result'],
      [
        ...['b<- assistant x,y,z', 'r<b toolResult y', 'repair-61dbf87d<r toolResult x'],
        ...['repair-5fdbf557<repair-61dbf87d toolResult z', 'c<repair-5fdbf557 user'],
      ],
      'insert 2 · insert 2 · change 4',
    ],
    [
      'results stay in their own order',
      [calls('b', null, 'x', 'y'), result('r', 'b', 'y'), result('q', 'r', 'x'), user('c', 'q')],
      [],
      ['b<- assistant x,y', 'r<b toolResult y', 'q<r toolResult x', 'c<q user'],
      '',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('what is written of a change', () => {
  it('lines that stay are the same to the byte, changed ones change in the place named', async () => {
    const lines = [user('a', null), unfit('b', 'a'), { ...user('d', 'b'), n: 1 }]
    const { text, check } = await playScene(textOfScene(lines).replace('"n":1', '"n":1e400'))
    expect(text.split('\n').slice(1)).toEqual([
      JSON.stringify(lines[0]),
      JSON.stringify({ ...lines[2], parentId: 'a' }).replace('"n":1', '"n":1e400'),
      '',
    ])
    expect(check.plan.steps).toMatchObject([
      { kind: 'drop', line: 3, entryId: 'b', emission: null },
      { kind: 'change', line: 4, entryId: 'd', role: 'user', reason: 'goes on from a' },
    ])
    expect(check.entries).toEqual({ before: 4, dropped: 1, after: 3 })
  })

  it('what becomes a beginning says so', async () => {
    const { check } = await playScene(textOfScene([unfit('b', null), user('d', 'b')]))
    expect(check.plan.steps.at(-1)).toMatchObject({ reason: 'goes on from the beginning' })
  })

  it('a line that moves is written in its new place alone', async () => {
    const moved = textOfScene([calls('b', null, 'x'), user('c', 'b'), result('r', 'c', 'x')])
    const { check } = await playScene(moved)
    expect([...check.plan.carried]).toEqual([4])
    expect([...check.plan.lines]).toEqual([
      [4, []],
      [2, [{ kind: 'line', line: 2, edits: [] }, expect.objectContaining({ kind: 'line', line: 4 })]],
      [3, [{ kind: 'line', line: 3, edits: [{ set: ['parentId'], value: '"r"' }] }]],
    ])
  })

  it('entries of one line stay in it, each on a separate line', async () => {
    const joined = textOfScene([user('a', null), user('b', 'a')]).replace('}}\n{', '}}{')
    const { found, after, text } = await playScene(joined)
    expect(found).toEqual(['2 joined-lines', '2 joined-lines'])
    expect(after).toEqual(['a<- user', 'b<a user'])
    expect(text).toBe(textOfScene([user('a', null), user('b', 'a')]))
  })
})
