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
  stopped,
  textOfScene,
  user,
} from '../../testing/repair/scene-lines'

describe('M12 M13 results beside a compaction', () => {
  it.each<Case>([
    [
      'one that keeps the result alone is between the call and what comes behind it',
      [
        ...[user('a', null), calls('b', 'a', 'x', 'y'), result('r', 'b', 'x')],
        ...[compaction('k', 'r', from('r')), result('q', 'k', 'y'), user('z', 'q')],
      ],
      ['5 split-pair → 3', '6 displaced-result → 3'],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', 'q<r toolResult y', 'k<q compaction b'],
        'z<k user',
      ],
      'change 5 · move 6 · change 7',
    ],
    [
      'so is one that names nothing to keep',
      [
        ...[user('a', null), calls('b', 'a', 'x', 'y'), result('r', 'b', 'x')],
        ...[compaction('k', 'r', {}), result('q', 'k', 'y'), user('z', 'q')],
      ],
      ['6 displaced-result → 3'],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', 'q<r toolResult y', 'k<q compaction'],
        'z<k user',
      ],
      'change 5 · move 6 · change 7',
    ],
    [
      'one that keeps all from the beginning is not',
      [
        ...[calls('b', null, 'x', 'y'), result('r', 'b', 'x'), compaction('k', 'r', from('b'))],
        ...[result('q', 'k', 'y'), user('z', 'q')],
      ],
      [],
      ['b<- assistant x,y', 'r<b toolResult x', 'k<r compaction b', 'q<k toolResult y', 'z<q user'],
      '',
    ],
    [
      'before a reset, a result alone behind the cut is left as it is',
      [
        ...[user('a', null), calls('b', 'a', 'x'), result('r', 'b', 'x'), compaction('k', 'r', from('r'))],
        ...[user('m', 'k'), entry('reset', 'q', 'm', from('m')), user('z', 'q')],
      ],
      [],
      [
        ...['a<- user', 'b<a assistant x', 'r<b toolResult x', 'k<r compaction r', 'm<k user'],
        ...['q<m reset m', 'z<q user'],
      ],
      '',
    ],
    [
      'a failed call before the cut that got no result is not kept',
      [stopped('error', 'b', null, 'x'), user('c', 'b'), compaction('k', 'c', from('c')), user('z', 'k')],
      [],
      ['b<- assistant x', 'c<b user', 'k<c compaction c', 'z<k user'],
      '',
    ],
    [
      'one that names a later entry keeps nothing, and parts no call from its result there',
      [
        ...[
          user('a', null),
          compaction('k', 'a', from('m')),
          calls('b', 'k', 'x'),
          entry('custom', 'm', 'b'),
        ],
        result('r', 'm', 'x'),
      ],
      [],
      ['a<- user', 'k<a compaction m', 'b<k assistant x', 'm<b custom', 'r<m toolResult x'],
      '',
    ],
    [
      'a place that version 1 would keep from means nothing beside the name of an entry',
      [
        ...[user('a', null), calls('b', 'a', 'x'), result('r', 'b', 'x')],
        ...[compaction('k', 'r', { ...from('r'), firstKeptEntryIndex: 3 }), user('z', 'k')],
      ],
      ['5 split-pair → 3'],
      ['a<- user', 'b<a assistant x', 'r<b toolResult x', 'k<r compaction b,3', 'z<k user'],
      'change 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M12 M13 what goes on from where results came, went and moved', () => {
  it.each<Case>([
    [
      'what followed a beginning that is dropped is the beginning',
      [result('o', null, 'x'), user('a', 'o')],
      ['2 orphan-result'],
      ['a<- user'],
      'drop 2 · change 3',
    ],
    [
      'where nothing is left, a jump leads to the beginning',
      [result('o', null, 'x'), leaf('l', 'o', 'o')],
      ['2 orphan-result'],
      ['l<- leaf '],
      'drop 2 · change 3',
    ],
    [
      'a jump to what is the end once a result is dropped leads behind what is put in there',
      [user('a', null), calls('c', 'a', 'x'), leaf('l', 'c', 'c'), result('o', 'c', 'zz')],
      ['3 missing-result', '5 orphan-result'],
      [...['a<- user', 'c<a assistant x', 'repair-eb4f2c46<c toolResult x'], 'l<c leaf repair-eb4f2c46'],
      'insert 3 · change 4 · drop 5',
    ],
    [
      'so does a jump to the dropped result itself',
      [user('a', null), calls('c', 'a', 'x'), result('o', 'c', 'zz'), leaf('l', 'o', 'o')],
      ['3 missing-result', '4 orphan-result'],
      [...['a<- user', 'c<a assistant x', 'repair-eb4f2c46<c toolResult x'], 'l<c leaf repair-eb4f2c46'],
      'insert 3 · drop 4 · change 5',
    ],
    [
      'a jump to a result that moves leads to where the branch ends, also where a dropped one followed',
      [
        ...[calls('b', null, 'x'), user('m', 'b'), result('r', 'm', 'x'), leaf('l', 'r', 'r')],
        result('o', 'l', 'z'),
      ],
      ['4 displaced-result → 2', '6 orphan-result'],
      ['b<- assistant x', 'r<b toolResult x', 'm<r user', 'l<m leaf m'],
      'change 3 · move 4 · change 5 · drop 6',
    ],
    [
      'a jump to a dropped result that came behind a jump leads to an entry of the conversation',
      [
        ...[user('a', null), user('c', 'a'), user('b', 'c'), leaf('l', 'b', 'c'), result('o', 'l', 'x')],
        leaf('m', 'o', 'o'),
      ],
      ['6 orphan-result'],
      ['a<- user', 'c<a user', 'b<c user', 'l<b leaf c', 'm<l leaf c'],
      'drop 6 · change 7',
    ],
    [
      'behind a reset, it leads to the jump, which is as good',
      [
        ...[user('a', null), entry('reset', 'k', 'a'), leaf('l', 'k', 'k'), result('o', 'l', 'x')],
        ...[entry('reset', 'q', 'o'), leaf('m', 'q', 'o'), user('z', 'm')],
      ],
      ['5 orphan-result'],
      ['a<- user', 'k<a reset', 'l<k leaf k', 'q<l reset', 'm<q leaf l', 'z<k user'],
      'drop 5 · change 6 · change 7 · change 8',
    ],
    [
      'jumps to what is the end afterwards, or to other entries, stay as they are',
      [...[user('a', null), user('b', 'a'), leaf('l', 'b', 'b'), leaf('m', 'l', 'a')], result('o', 'b', 'x')],
      ['6 orphan-result'],
      ['a<- user', 'b<a user', 'l<b leaf b', 'm<l leaf a'],
      'drop 6',
    ],
    [
      'a branch behind several results that move stays where they were',
      [
        ...[user('a', null), calls('b', 'a', 'x', 'y'), user('m', 'b'), result('r', 'm', 'x')],
        ...[result('q', 'r', 'y'), user('side', 'q'), user('n', 'q')],
      ],
      ['5 displaced-result → 3', '6 displaced-result → 3'],
      [
        ...['a<- user', 'b<a assistant x,y', 'r<b toolResult x', 'q<r toolResult y', 'm<q user'],
        ...['side<m user', 'n<m user'],
      ],
      'move 4 · change 5 · change 7 · change 8',
    ],
    [
      'a branch behind a result that was the beginning is a beginning then',
      [result('r', null, 'x'), user('side', 'r'), calls('b', 'r', 'x'), user('z', 'b')],
      ['2 displaced-result → 4'],
      ['side<- user', 'b<- assistant x', 'r<b toolResult x', 'z<r user'],
      'move 2 · change 3 · change 4 · change 5',
    ],
    [
      'a parent before a reset, which runtimes pass over, stays as it is written',
      [...[user('a', null), entry('reset', 'k', 'a'), user('c', 'a'), calls('b', 'c', 'x')], user('z', 'b')],
      ['5 missing-result'],
      [
        ...['a<- user', 'k<a reset', 'c<a user', 'b<c assistant x', 'repair-61dbf87d<b toolResult x'],
        'z<repair-61dbf87d user',
      ],
      'insert 5 · change 6',
    ],
    [
      'behind a reset, the jump that an entry goes on from leads behind the result that was put in; later ones stay',
      [
        ...[calls('c', null, 'x'), entry('reset', 'k', 'c'), leaf('l', 'k', 'c'), user('d', 'c')],
        ...[leaf('m', 'd', 'c'), leaf('n', 'm', 'd')],
      ],
      ['2 missing-result'],
      [
        ...['c<- assistant x', 'repair-eb4f2c46<c toolResult x', 'k<c reset', 'l<k leaf repair-eb4f2c46'],
        ...['d<repair-eb4f2c46 user', 'm<d leaf c', 'n<m leaf d'],
      ],
      'insert 2 · change 4 · change 5',
    ],
    [
      'behind a reset, a jump to a result that is dropped leads to the entry before it',
      [
        ...[user('a', null), result('o', 'a', 'x'), entry('reset', 'k', 'o'), leaf('l', 'k', 'o')],
        user('d', 'l'),
      ],
      ['3 orphan-result'],
      ['a<- user', 'k<a reset', 'l<k leaf a', 'd<a user'],
      'drop 3 · change 4 · change 5 · change 6',
    ],
    [
      'a result that was put in is not put in twice, where a jump leads to its call only later on',
      [
        ...[calls('b', null, 'x', 'y'), result('o', 'b', 'z'), entry('reset', 'k', 'o'), user('c', 'k')],
        ...[leaf('l', 'c', 'o'), user('d', 'l')],
      ],
      ['2 missing-result', '2 missing-result', '3 orphan-result'],
      [
        ...['b<- assistant x,y', 'repair-61dbf87d<b toolResult x'],
        ...['repair-60dbf6ea<repair-61dbf87d toolResult y', 'k<b reset', 'c<k user'],
        ...['l<c leaf repair-60dbf6ea', 'd<repair-60dbf6ea user'],
      ],
      'insert 2 · insert 2 · drop 3 · change 4 · change 6 · change 7',
    ],
    [
      'nor where it is a jump to a jump that is dropped',
      [...[calls('b', null, 'x', 'y'), leaf('l', 'b', 'zz'), leaf('m', 'l', 'l')], result('o', 'm', 'z')],
      ['2 missing-result', '2 missing-result', '3 dangling-leaf', '5 orphan-result'],
      [
        ...['b<- assistant x,y', 'repair-61dbf87d<b toolResult x'],
        ...['repair-60dbf6ea<repair-61dbf87d toolResult y', 'm<b leaf repair-60dbf6ea'],
      ],
      'insert 2 · insert 2 · drop 3 · change 4 · drop 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M12 ids of results that are put in', () => {
  it('differ from those of the file', async () => {
    const { after } = await playScene(textOfScene([calls('b', null, 'x'), user('repair-61dbf87d', 'b')]))
    expect(after).toEqual([
      ...['b<- assistant x', 'repair-f61e8392<b toolResult x'],
      'repair-61dbf87d<repair-f61e8392 user',
    ])
  })

  it('and from each other, where calls have the same digest', async () => {
    const { after, again } = await playScene(textOfScene([calls('b', null, 'x1vl8', 'xipd6')]))
    expect(after).toHaveLength(3)
    expect(after[1]).toBe('repair-5d327882<b toolResult x1vl8')
    expect(after[2]).toMatch(/^repair-(?!5d327882)[0-9a-f]{8}<repair-5d327882 toolResult xipd6$/)
    expect(again).toEqual([])
  })
})
