import { describe, expect, it } from 'vitest'
import { playClient } from '../../../testing/repair/play-client'
import { ClaudeCodeCheck } from './claude-code-check'

type Line = Readonly<Record<string, unknown>>

const say = (uuid: string, parentUuid: unknown, more: Line = {}): Line => ({
  ...{ parentUuid, isSidechain: false, type: 'user', message: { role: 'user', content: `say ${uuid}` } },
  ...{ uuid, ...more },
})
const SIDE = { isSidechain: true }
/** A line that only its beginning is left of. */
const torn = (uuid: string, parentUuid: string | null) =>
  JSON.stringify({ parentUuid, uuid, type: 'user', message: {} }).slice(0, -1)

const textOf = (lines: readonly (Line | string)[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

/** What it is, the lines, what is found, who follows whom then, and what was done. */
type Case = readonly [string, readonly (Line | string)[], readonly string[], string, string]

async function expectScene([, lines, found, after, steps]: Case) {
  const scene = await playClient(() => new ClaudeCodeCheck(), textOf(lines))
  const shape = scene.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ uuid, parentUuid }) => `${uuid ?? ''}<${parentUuid ?? ''}`)
  expect({ ...scene, after: shape.join(' ') }).toMatchObject({ found, after, steps, again: [] })
}

describe('M10 lines of Claude Code that are there twice', () => {
  it.each<Case>([
    [
      'the second one goes, and so does the third',
      [say('a', null), say('b', 'a'), say('b', 'a'), say('c', 'b'), say('a', null)],
      ['3 duplicate-entry → 2', '5 duplicate-entry → 1'],
      'a< b<a c<b',
      'drop 3 · drop 5',
    ],
    [
      'what differs in one letter, in its length, or in the order of its letters is no copy',
      [
        say('a', null),
        ...['ab', 'ac', 'abc', 'ba'].map((text) => say('b', 'a', { message: { content: text } })),
      ],
      [],
      'a< b<a b<a b<a b<a',
      '',
    ],
    [
      'lines without an id are no copies of each other',
      [say('a', null), { type: 'summary', summary: 's' }, { type: 'summary', summary: 's' }],
      [],
      'a< < <',
      '',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 parents of lines of Claude Code', () => {
  it.each<Case>([
    [
      'one that is not there: the line goes on from the one before it',
      [say('a', null), say('b', 'a'), say('c', 'gone'), say('d', 'c')],
      ['3 broken-parent → 2'],
      'a< b<a c<b d<c',
      'change 3',
    ],
    [
      'at the beginning it becomes the beginning',
      [say('a', 'gone'), say('b', 'a')],
      ['1 broken-parent'],
      'a< b<a',
      'change 1',
    ],
    ['what names none stays a beginning', [say('a', null), say('b', null)], [], 'a< b<', ''],
    ['one that comes later is one', [say('a', 'b'), say('b', null)], [], 'a<b b<', ''],
    [
      'the conversation and its sub-agents keep to themselves',
      [
        say('a', null),
        say('s', 'gone', SIDE),
        say('b', 'gone'),
        say('t', 'gone', SIDE),
        { type: 'summary', parentUuid: 'gone' },
        say('c', 'gone', { isSidechain: 'yes' }),
      ],
      ['2 broken-parent', '3 broken-parent → 1', '4 broken-parent → 2', '6 broken-parent → 3'],
      'a< s< b<a t<s <gone c<b',
      'change 2 · change 3 · change 4 · change 6',
    ],
    [
      'a copy that goes is no line before',
      [say('a', null), say('b', 'a'), say('a', null), say('c', 'gone')],
      ['3 duplicate-entry → 1', '4 broken-parent → 2'],
      'a< b<a c<b',
      'drop 3 · change 4',
    ],
    [
      'a line that cannot be read leads on to what it followed, however many there are',
      [say('a', null), say('x', 'a'), torn('b', 'a'), torn('c', 'b'), say('d', 'c')],
      ['3 unparseable-line', '4 unparseable-line', '5 broken-parent'],
      'a< x<a d<a',
      'drop 3 · drop 4 · change 5',
    ],
    [
      'or to the beginning',
      [say('a', null), torn('b', null), say('c', 'b')],
      ['2 unparseable-line', '3 broken-parent'],
      'a< c<',
      'drop 2 · change 3',
    ],
    [
      'but not where it followed what is not there, or only itself',
      [say('a', null), torn('b', 'gone'), say('c', 'b'), torn('d', 'e'), torn('e', 'd'), say('f', 'd')],
      [
        ...['2 unparseable-line', '3 broken-parent → 1', '4 unparseable-line', '5 unparseable-line'],
        '6 broken-parent → 3',
      ],
      'a< c<a f<c',
      'drop 2 · change 3 · drop 4 · drop 5 · change 6',
    ],
    [
      'what is left of a line without its id or its parent says nothing',
      [say('a', null), say('b', 'a'), '{"parentUuid":"a","uuid":"c', '{"uuid":"d","type"', say('e', 'd')],
      ['3 unparseable-line', '4 unparseable-line', '5 broken-parent → 2'],
      'a< b<a e<b',
      'drop 3 · drop 4 · change 5',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M10 circles of Claude Code', () => {
  it.each<Case>([
    ['its own parent', [say('a', 'a'), say('b', 'a')], ['1 cycle'], 'a< b<a', 'change 1'],
    [
      'opened where the file comes to it first, which goes on from the line before',
      [say('r', null), say('a', 'c'), say('b', 'a'), say('c', 'b'), say('d', 'c')],
      ['2 cycle → 1'],
      'r< a<r b<a c<b d<c',
      'change 2',
    ],
    [
      'though what leads to it from before comes to another line of it',
      [say('x', 'c'), say('a', 'b'), say('b', 'c'), say('c', 'a'), say('d', 'x')],
      ['2 cycle'],
      'x<c a< b<c c<a d<x',
      'change 2',
    ],
    [
      'two of them',
      [say('r', null), say('a', 'b'), say('b', 'a'), say('c', 'd'), say('d', 'c')],
      ['2 cycle → 1', '4 cycle → 3'],
      'r< a<r b<a c<b d<c',
      'change 2 · change 4',
    ],
    [
      'of a sub-agent goes on from its own lines, and a conversation from its own',
      [
        ...[say('r', null), say('s', null, SIDE), say('t', 't', SIDE), say('a', 'a')],
        ...[say('u', 'u', SIDE), say('b', 'b')],
      ],
      ['3 cycle → 2', '4 cycle → 1', '5 cycle → 3', '6 cycle → 4'],
      'r< s< t<s a<r u<t b<a',
      'change 3 · change 4 · change 5 · change 6',
    ],
    [
      'of lines with one id only the last one has a place that can be gone on from',
      [say('r', null), say('x', 'r'), say('a', 'a'), say('x', 'r', { n: 1 })],
      ['3 cycle → 1'],
      'r< x<r a<r x<r',
      'change 3',
    ],
    [
      'lines without an id are never gone on from, and lead to none',
      [{ type: 'summary', parentUuid: 'a' }, say('r', null), { type: 'summary' }, say('a', 'a')],
      ['4 cycle → 2'],
      '<a r< < a<r',
      'change 4',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})
