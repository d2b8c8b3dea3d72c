import { describe, expect, it } from 'vitest'
import { playScene } from '../../testing/repair/play-scene'
import {
  type Case,
  calls,
  compaction,
  expectScene,
  type Line,
  leaf,
  result,
  textOfScene,
  unfit,
  user,
} from '../../testing/repair/scene-lines'

describe('M10 M12 version 1, without ids', () => {
  const keeps = (firstKeptEntryIndex: number) => compaction(undefined, undefined, { firstKeptEntryIndex })
  const nameless = (line: Line): Line => ({ ...line, id: undefined, parentId: undefined })
  const say = nameless(user(undefined, undefined))
  const ask = (...names: string[]) => nameless(calls(undefined, undefined, ...names))
  const answer = (call: string) => nameless(result(undefined, undefined, call))

  it.each<Case>([
    [
      'a compaction between a call and its result names the place of the call',
      [say, ask('x'), answer('x'), keeps(3), say],
      ['5 split-pair → 3'],
      ['-<- user', '-<- assistant x', '-<- toolResult x', '-<- compaction 2', '-<- user'],
      'change 5',
    ],
    [
      'places are counted anew where results come, move and go; what looks like a jump means nothing',
      [say, ask('x', 'y'), say, answer('y'), answer('o'), leaf(undefined, undefined, 'q'), keeps(4)],
      ['3 missing-result', '5 displaced-result → 3', '6 orphan-result', '8 split-pair → 3'],
      [
        ...['-<- user', '-<- assistant x,y', '-<- toolResult x', '-<- toolResult y', '-<- user'],
        ...['-<- leaf q', '-<- compaction 2'],
      ],
      'insert 3 · move 5 · drop 6 · change 8',
    ],
    [
      'what looks like a jump means nothing, though entries have ids',
      [
        ...[user('a', undefined), calls('b', undefined, 'x'), leaf('l', undefined, 'a')],
        leaf('m', undefined, null),
      ],
      ['3 missing-result'],
      ['a<- user', 'b<- assistant x', '-<- toolResult x', 'l<- leaf a', 'm<- leaf '],
      'insert 3',
    ],
    [
      'a compaction that keeps from an entry on that cannot stay names the place of the next one',
      [say, unfit(undefined, undefined), say, keeps(2)],
      ['3 no-role'],
      ['-<- user', '-<- user', '-<- compaction 2'],
      'drop 3',
    ],
    [
      'or its own, where none comes',
      [say, keeps(3), unfit(undefined, undefined)],
      ['4 no-role'],
      ['-<- user', '-<- compaction 2'],
      'change 3 · drop 4',
    ],
    [
      'where the next one is a result, its call is kept as well',
      [say, ask('x'), answer('o'), answer('x'), keeps(3), say],
      ['4 orphan-result', '6 split-pair → 3'],
      ['-<- user', '-<- assistant x', '-<- toolResult x', '-<- compaction 2', '-<- user'],
      'drop 4 · change 6',
    ],
    [
      'a place that was not there, and is by now, becomes its own',
      [ask('x', 'y'), keeps(3)],
      ['2 missing-result', '2 missing-result'],
      ['-<- assistant x,y', '-<- toolResult x', '-<- toolResult y', '-<- compaction 4'],
      'insert 2 · insert 2 · change 3',
    ],
    [
      'one whose place does not move is not changed',
      [say, keeps(1), say, answer('o')],
      ['5 orphan-result'],
      ['-<- user', '-<- compaction 1', '-<- user'],
      'drop 5',
    ],
    ['a place that is not there stays as it is', [say, keeps(99)], [], ['-<- user', '-<- compaction 99'], ''],
  ])('%s', async (...scene) => expectScene(scene, 1))

  it.each([
    ['with the line of the entry', [unfit(undefined, undefined), say, say, keeps(3)], 'keeps from line 4 on'],
    [
      'with what it means where none comes',
      [say, keeps(3), unfit(undefined, undefined)],
      'names itself, so that it keeps nothing in so many words',
    ],
    [
      'or where the place is another by now',
      [ask('x', 'y'), keeps(3)],
      'names itself, so that it keeps nothing in so many words',
    ],
  ])('a step that renews a place says so, %s', async (_, lines, reason) => {
    const { check } = await playScene(textOfScene(lines, 1))
    expect(check.plan.steps.filter(({ kind }) => kind === 'change')).toMatchObject([{ reason }])
  })

  it('entries of one line have no places until they are parted', async () => {
    const { found, after } = await playScene(
      textOfScene([say, say, say, keeps(1)], 1).replace('}}\n{', '}}{'),
    )
    expect(found).toEqual(['2 joined-lines', '2 joined-lines'])
    expect(after.at(-1)).toBe('-<- compaction 3')
  })
})
