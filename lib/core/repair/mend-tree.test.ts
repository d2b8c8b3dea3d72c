import { describe, expect, it } from 'vitest'
import { checkLines } from '../../testing/repair/check-lines'
import { playScene } from '../../testing/repair/play-scene'
import {
  type Case,
  calls,
  compaction,
  entry,
  expectScene,
  from,
  leaf,
  textOfScene,
  unfit,
  user,
} from '../../testing/repair/scene-lines'

describe('M10 ids', () => {
  it.each<Case>([
    [
      'lines of one length that differ in their parent or role alone are no copies',
      [
        ...[user('a', null), user('c', 'a'), user('b', 'a'), user('b', 'c')],
        { ...user('b', 'a'), message: { role: 'peer', content: 'say b' } },
      ],
      ['5 duplicate-id → 94dc48c6 4', '6 duplicate-id → 93dc4733 4'],
      ['a<- user', 'c<a user', 'b<a user', '94dc48c6<c user', '93dc4733<a peer'],
      'change 5 · change 6',
    ],
    [
      'nor are those that differ in their type alone',
      [user('a', null), entry('model_change', 'b', 'a'), entry('session_info', 'b', 'a')],
      ['4 duplicate-id → 95dc4a59 3'],
      ['a<- user', 'b<a model_change', '95dc4a59<a session_info'],
      'change 4',
    ],
    [
      'one is missing of the only entry',
      [user(undefined, null)],
      ['2 missing-id → 67b26f87'],
      ['67b26f87<- user'],
      'change 2',
    ],
  ])('%s', async (...scene) => expectScene(scene))

  it('a missing one is found whatever else is wrong', async () => {
    const nameless = JSON.stringify(user(undefined, null))
    const bad = await playScene(`${textOfScene([])}${nameless}\nbad\n`)
    expect(bad.found).toEqual(['2 missing-id → 67b26f87', '3 unparseable-line'])
    const late = await playScene(`${nameless}\n${textOfScene([])}`)
    expect(late.found).toEqual(['1 missing-id → 68b2711a', '2 late-header'])
    const long = checkLines(`${textOfScene([])}${nameless}\n{"data":"${'x'.repeat(500)}"}\n`, 'late', 400)
    expect(long.findings).toMatchObject([{ class: 'missing-id', line: 2 }])
  })
})

describe('M10 parents', () => {
  it.each<Case>([
    [
      'none of two names any: the second follows the first',
      [user('a', undefined), user('b', undefined)],
      ['3 broken-parent → 2'],
      ['a<- user', 'b<a user'],
      'change 3',
    ],
    [
      'of two entries of one id that cannot stay, the last one says where it goes on',
      [user('a', null), user('x', 'a'), unfit('b', 'a'), unfit('b', 'x'), user('d', 'b')],
      ['4 no-role', '5 no-role'],
      ['a<- user', 'x<a user', 'd<x user'],
      'drop 4 · drop 5 · change 6',
    ],
    [
      'an entry that goes on from what followed it, as what was between cannot stay, is in a circle',
      [user('a', null), unfit('g', 'z'), user('e', 'g'), user('z', 'e')],
      ['3 no-role', '4 cycle → 2'],
      ['a<- user', 'e<a user', 'z<e user'],
      'drop 3 · change 4',
    ],
    [
      'and so is one that goes on from itself; what comes too early beside it is put right first',
      [
        ...[user('a', null), unfit('g', 'e'), user('e', 'g'), unfit('h', 'b')],
        ...[leaf('l', 'h', 'b'), user('b', 'a')],
      ],
      ['3 no-role', '4 cycle → 2', '5 no-role', '7 late-parent → 4'],
      ['a<- user', 'e<a user', 'b<a user', 'l<b leaf b'],
      'drop 3 · change 4 · drop 5 · change 6 · move 7',
    ],
    [
      'a reset that would follow itself goes on from the entry before it, as runtimes have it',
      [...[user('a', null), calls('b', 'a', 'x'), entry('reset', 'k', 'g'), unfit('g', 'k')], user('z', 'g')],
      ['3 missing-result', '5 no-role'],
      [
        'a<- user',
        'b<a assistant x',
        'repair-61dbf87d<b toolResult x',
        'k<repair-61dbf87d reset',
        'z<k user',
      ],
      'insert 3 · change 4 · drop 5 · change 6',
    ],
    [
      'what leads to a circle does not end another one that was made to follow from it',
      [user('x', 'b2'), user('a1', 'a2'), user('a2', 'a1'), user('b1', 'b2'), user('b2', 'b1')],
      ['2 late-parent → 6', '3 cycle', '5 cycle → 4'],
      ['a1<- user', 'a2<a1 user', 'b1<a2 user', 'b2<b1 user', 'x<b2 user'],
      'move 2 · change 3 · change 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))

  it('two entries of one line that are each other’s parents are a circle as well', async () => {
    const joined = textOfScene([user('a', 'b'), user('b', 'a')]).replace('}}\n{', '}}{')
    const { found, after, again } = await playScene(joined)
    expect(found).toEqual(['2 joined-lines', '2 joined-lines', '2 cycle'])
    expect(after).toEqual(['a<- user', 'b<a user'])
    expect(again).toEqual([])
  })

  it('a long line that names nothing is no parent', () => {
    const long = `{"data":"${'x'.repeat(500)}"}\n`
    const lost = `${JSON.stringify(user('b', 'lost'))}\n`
    const { findings, plan } = checkLines(`${textOfScene([user('a', null)])}${long}${lost}`, 'late', 400)
    expect(findings).toMatchObject([{ class: 'broken-parent', line: 4 }])
    expect(plan.lines.get(4)).toMatchObject([{ edits: [{ set: ['parentId'], value: '"a"' }] }])
  })

  it.each(['a', 'lost'])('a header that names a parent (%s) is left alone', async (parentId) => {
    const { found, after, text, again } = await playScene(
      textOfScene([user('a', null), user('b', undefined)], 3, { parentId }),
    )
    expect(found).toEqual(['3 broken-parent → 2'])
    expect(after).toEqual(['a<- user', 'b<a user'])
    expect(text.split('\n')[0]).toContain('"session"')
    expect(again).toEqual([])
  })
})

describe('M10 jumps', () => {
  it.each<Case>([
    [
      'to what comes later only by its line stays, behind it',
      [user('a', null), leaf('l', 'b', 'b'), user('b', 'a')],
      ['4 late-parent → 2'],
      ['a<- user', 'b<a user', 'l<b leaf b'],
      'move 4',
    ],
    [
      'to itself leads nowhere',
      [user('a', null), leaf('l', 'a', 'l'), user('b', 'a')],
      ['3 dangling-leaf'],
      ['a<- user', 'b<a user'],
      'drop 3',
    ],
    [
      'that leads nowhere leaves what followed it behind the entry before it, not its parent',
      [user('a', null), user('b', 'a'), leaf('l', 'a', 'zz'), user('c', 'l')],
      ['4 dangling-leaf'],
      ['a<- user', 'b<a user', 'c<b user'],
      'drop 4 · change 5',
    ],
    [
      'that leads nowhere and has nothing before it leaves a beginning',
      [leaf('l', null, 'zz'), user('a', 'l')],
      ['2 dangling-leaf'],
      ['a<- user'],
      'drop 2 · change 3',
    ],
    ['to nowhere may be all there is', [leaf('l', null, 'zz')], ['2 dangling-leaf'], [], 'drop 2'],
    [
      'to nowhere is found at the end of a sound conversation',
      [user('a', null), leaf('l', 'a', 'zz')],
      ['3 dangling-leaf'],
      ['a<- user'],
      'drop 3',
    ],
    [
      'to another one that leads nowhere leads to where the conversation was then',
      [user('a', null), leaf('l', 'a', 'zz'), leaf('m', 'a', 'l'), user('b', 'm')],
      ['3 dangling-leaf'],
      ['a<- user', 'm<a leaf a', 'b<m user'],
      'drop 3 · change 4',
    ],
    [
      'to an entry that cannot stay leads to a call before it, and the end is there',
      [user('a', null), calls('b', 'a', 'x'), unfit('g', 'b'), user('c', 'g'), leaf('l', 'c', 'g')],
      ['3 missing-result', '4 no-role'],
      [
        ...['a<- user', 'b<a assistant x', 'repair-61dbf87d<b toolResult x', 'c<b user'],
        'l<c leaf repair-61dbf87d',
      ],
      'insert 3 · drop 4 · change 5 · change 6',
    ],
    [
      'to a later entry leads nowhere, also where one with its id cannot stay',
      [user('a', null), unfit('c', 'a'), leaf('l', 'a', 'c'), user('b', 'a'), user('c', 'b')],
      ['3 no-role', '4 dangling-leaf'],
      ['a<- user', 'b<a user', 'c<b user'],
      'drop 3 · drop 4',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 what names an id that two entries have', () => {
  it.each<Case>([
    [
      'a compaction keeps from the one that is on its branch',
      [
        ...[user('r', null), user('a', 'r'), user('a', 'r', { n: 1 }), user('c', 'a')],
        ...[compaction('k', 'c', from('a')), user('z', 'k')],
      ],
      ['4 duplicate-id → 7c4bb1cc 3'],
      [
        ...['r<- user', 'a<r user', '7c4bb1cc<r user', 'c<7c4bb1cc user'],
        ...['k<c compaction 7c4bb1cc', 'z<k user'],
      ],
      'change 4 · change 5 · change 6',
    ],
    [
      'also where that is the first one',
      [
        ...[user('r', null), user('a', 'r'), user('c', 'a'), user('a', 'r', { n: 1 })],
        ...[compaction('k', 'c', from('a')), user('z', 'k')],
      ],
      ['5 duplicate-id → 7d4bb35f 3'],
      ['r<- user', 'a<r user', 'c<a user', '7d4bb35f<r user', 'k<c compaction a', 'z<k user'],
      'change 5',
    ],
    [
      'a jump leads to the last one before it',
      [
        ...[user('r', null), user('a', 'r'), user('a', 'r', { n: 1 }), user('c', 'r'), leaf('l', 'c', 'a')],
        user('d', 'l'),
      ],
      ['4 duplicate-id → 7c4bb1cc 3'],
      ['r<- user', 'a<r user', '7c4bb1cc<r user', 'c<r user', 'l<c leaf 7c4bb1cc', 'd<l user'],
      'change 4 · change 6',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 what compactions keep', () => {
  it.each<Case>([
    [
      'from an entry on that followed nothing and was followed by none: nothing',
      [unfit('b', null), user('a', null), compaction('k', 'a', from('b')), user('z', 'k')],
      ['2 no-role', '4 dangling-first-kept'],
      ['a<- user', 'k<a compaction k', 'z<k user'],
      'drop 2 · change 4',
    ],
    [
      'from an entry on that cannot stay: from the first one on that followed it',
      [
        ...[user('a', null), unfit('b', 'a'), user('c', 'b'), compaction('k', 'c', from('b'))],
        ...[user('d', 'b'), user('z', 'k')],
      ],
      ['3 no-role'],
      ['a<- user', 'c<a user', 'k<c compaction c', 'd<a user', 'z<k user'],
      'drop 3 · change 4 · change 5 · change 6',
    ],
    [
      'from an entry on that followed a call: the call is looked at as well',
      [
        ...[user('a', null), calls('b', 'a', 'x'), unfit('g', 'b'), compaction('k', 'g', from('g'))],
        user('z', 'k'),
      ],
      ['3 missing-result', '4 no-role'],
      [
        'a<- user',
        'b<a assistant x',
        'repair-61dbf87d<b toolResult x',
        'k<repair-61dbf87d compaction k',
        'z<k user',
      ],
      'insert 3 · drop 4 · change 5',
    ],
    [
      'from an entry on that two branches followed and that cannot stay: from what followed it on its own branch',
      [
        ...[user('a', null), unfit('b', 'a'), user('c', 'b'), compaction('j', 'c', from('b'))],
        ...[user('d', 'b'), compaction('k', 'd', from('b')), user('z', 'k')],
      ],
      ['3 no-role'],
      ['a<- user', 'c<a user', 'j<c compaction c', 'd<a user', 'k<d compaction d', 'z<k user'],
      'drop 3 · change 4 · change 5 · change 6 · change 7',
    ],
    [
      'nor is its line there: from the last one on its branch that says that it followed it',
      [user('a', null), user('c', 'b'), user('d', 'b'), compaction('k', 'd', from('b')), user('z', 'k')],
      ['3 broken-parent → 2', '4 broken-parent → 3', '5 dangling-first-kept → 4'],
      ['a<- user', 'c<a user', 'd<c user', 'k<d compaction d', 'z<k user'],
      'change 3 · change 4 · change 5',
    ],
    [
      'from each of two entries on that cannot stay',
      [
        ...[user('a', null), unfit('b', 'a'), user('c', 'b'), unfit('d', 'c'), user('e', 'd')],
        ...[compaction('j', 'e', from('b')), compaction('k', 'j', from('d')), user('z', 'k')],
      ],
      ['3 no-role', '5 no-role'],
      ['a<- user', 'c<a user', 'e<c user', 'j<e compaction c', 'k<j compaction e', 'z<k user'],
      'drop 3 · change 4 · drop 5 · change 6 · change 7 · change 8',
    ],
    [
      'from the beginning on, which cannot stay, nor the next one: from the first one that stays',
      [
        ...[unfit('b', null), unfit('c', 'b'), user('d', 'c'), user('e', 'd')],
        ...[compaction('k', 'e', from('b')), user('z', 'k')],
      ],
      ['2 no-role', '3 no-role'],
      ['d<- user', 'e<d user', 'k<e compaction d', 'z<k user'],
      'drop 2 · drop 3 · change 4 · change 6',
    ],
    [
      'from an entry that follows nothing on its branch: nothing',
      [
        ...[
          user('a', null),
          user('x', 'a'),
          unfit('b', 'x'),
          user('d', 'a'),
          compaction('k', 'd', from('b')),
        ],
        user('z', 'k'),
      ],
      ['4 no-role', '6 dangling-first-kept'],
      ['a<- user', 'x<a user', 'd<a user', 'k<d compaction k', 'z<k user'],
      'drop 4 · change 6',
    ],
    [
      'from an entry on to which the conversation jumped back: from what that followed, not from what it left',
      [
        ...[user('a', null), unfit('b', 'a'), user('c', 'b'), leaf('l', 'c', 'b'), user('d', 'l')],
        ...[compaction('k', 'd', from('b')), user('z', 'k')],
      ],
      ['3 no-role'],
      ['a<- user', 'c<a user', 'l<c leaf a', 'd<l user', 'k<d compaction a', 'z<k user'],
      'drop 3 · change 4 · change 5 · change 7',
    ],
    [
      'from an entry on that it followed itself: nothing',
      [user('a', null), unfit('b', 'a'), user('c', 'b'), compaction('k', 'b', from('b')), user('z', 'k')],
      ['3 no-role'],
      ['a<- user', 'c<a user', 'k<a compaction k', 'z<k user'],
      'drop 3 · change 4 · change 5',
    ],
    [
      'one names an entry that is there, the next one does not',
      [user('a', null), compaction('k', 'a', from('a')), compaction('j', 'k', from('zz'))],
      ['4 dangling-first-kept'],
      ['a<- user', 'k<a compaction a', 'j<k compaction j'],
      'change 4',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 what is said of a place that is renewed', () => {
  it.each([
    ['what a compaction keeps from', compaction('k', 'c', from('b')), 'keeps from line 4 on'],
    ['where a jump leads', leaf('l', 'c', 'b'), 'leads to a'],
    [
      'the parent as well, where that changes too',
      compaction('k', 'b', from('b')),
      'goes on from a; names itself, so that it keeps nothing in so many words',
    ],
  ])('a place that is renewed: %s', async (_, line, reason) => {
    const { check } = await playScene(textOfScene([user('a', null), unfit('b', 'a'), user('c', 'b'), line]))
    expect(check.plan.steps.at(-1)).toMatchObject({ kind: 'change', line: 5, reason })
  })

  it('a jump that leads to the beginning by now says so', async () => {
    const { check } = await playScene(textOfScene([unfit('x', null), user('a', null), leaf('l', 'a', 'x')]))
    expect(check.plan.steps.at(-1)).toMatchObject({ line: 4, reason: 'leads to the beginning' })
  })
})
