import { describe, expect, it } from 'vitest'
import { playClient } from '../../../testing/repair/play-client'
import { ClaudeCodeCheck } from './claude-code-check'

type Line = Readonly<Record<string, unknown>>

const line = (
  type: string,
  uuid: string,
  parentUuid: string | null,
  message: Line,
  more: Line = {},
): Line => ({
  ...{ parentUuid, isSidechain: false, type, message: { role: type, ...message }, uuid, ...more },
})
const say = (uuid: string, parent: string | null, more: Line = {}) =>
  line('user', uuid, parent, { content: uuid }, more)
const result = (uuid: string, parent: string | null, ...ids: string[]) =>
  line('user', uuid, parent, {
    content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: uuid })),
  })
/** A line of the response `id` that makes calls; null: of a response that is not named. */
const call = (uuid: string, parent: string | null, id: string | null, ...calls: string[]) =>
  line('assistant', uuid, parent, {
    ...(id === null ? {} : { id }),
    content: calls.map((one) => ({ type: 'tool_use', id: one, name: 'Read', input: {} })),
  })
const aside = (one: Line): Line => ({ ...one, isSidechain: true })

const MADE = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/

/** Who follows whom, with `!` for calls and `=` for results; lines that were made are `new`. */
function shapes(text: string): string {
  const nameOf = (uuid: string | null) => (uuid !== null && MADE.test(uuid) ? 'new' : (uuid ?? ''))
  return text
    .trimEnd()
    .split('\n')
    .map((one) => {
      const { uuid, parentUuid, message } = JSON.parse(one)
      const blocks: { type: string; id?: string; tool_use_id?: string }[] = Array.isArray(message?.content)
        ? message.content
        : []
      const ids = blocks.map(({ type, id, tool_use_id: of }) => (type === 'tool_use' ? `!${id}` : `=${of}`))
      return `${nameOf(uuid)}<${nameOf(parentUuid)}${ids.join('')}`
    })
    .join(' ')
}

const play = (lines: readonly Line[]) =>
  playClient(() => new ClaudeCodeCheck(), lines.map((one) => `${JSON.stringify(one)}\n`).join(''))

/** What it is, the lines, what is found, what is there then, and what was done. */
type Case = readonly [string, readonly Line[], readonly string[], string, string]

async function expectScene([, lines, found, after, steps]: Case) {
  const scene = await play(lines)
  expect({ ...scene, after: shapes(scene.text) }).toMatchObject({ found, after, steps, again: [] })
}

describe('M12 results of Claude Code', () => {
  it.each<Case>([
    [
      'that answer no call go, and what followed them goes on from what they followed',
      [say('a', null), result('r', 'a', 'x'), result('s', 'r', 'y', 'z'), say('b', 's')],
      ['2 orphan-result', '3 orphan-result'],
      'a< b<a',
      'drop 2 · drop 3 · change 4',
    ],
    [
      'or begins, where they did',
      [result('r', null, 'x'), say('b', 'r')],
      ['1 orphan-result'],
      'b<',
      'drop 1 · change 2',
    ],
    [
      'stay where one of them answers a call',
      [call('c', null, 'm', 't'), result('r', 'c', 'x', 't'), say('b', 'r')],
      [],
      'c<!t r<c=x=t b<r',
      '',
    ],
    [
      'of a call that is answered already go, but for those that answer another one as well',
      [
        ...[call('c', null, 'm', 't', 'u'), result('r', 'c', 't'), result('s', 'r', 't')],
        ...[result('v', 's', 't', 'u'), result('w', 'v', 'u', 't'), say('b', 'w')],
      ],
      ['3 duplicate-result', '5 duplicate-result'],
      'c<!t!u r<c=t v<r=t=u b<v',
      'drop 3 · change 4 · drop 5 · change 6',
    ],
    [
      'on a way that the conversation left count for nothing, and stay',
      [call('c', null, 'm', 't'), result('r', 'c', 't'), result('s', 'c', 't'), say('b', 's')],
      [],
      'c<!t r<c=t s<c=t b<s',
      '',
    ],
    [
      'on such a way that come later stay as well',
      [...[call('c', null, 'm', 't'), result('r', 'c', 't'), result('s', 'c', 't')], ...[say('b', 'r')]],
      [],
      'c<!t r<c=t s<c=t b<r',
      '',
    ],
    [
      'of no call go wherever they are',
      [say('a', null), result('r', 'a', 'x'), say('n', 'r'), say('b', 'a')],
      ['2 orphan-result'],
      'a< n<a b<a',
      'drop 2 · change 3',
    ],
    [
      'of a sub-agent, or without a place, are left alone',
      [
        ...[say('a', null), aside(result('s', null, 'x'))],
        ...[{ ...result('', 'a', 'y'), uuid: undefined }, say('b', 'a')],
      ],
      [],
      'a< s<=x <a=y b<a',
      '',
    ],
    [
      'of a call of a sub-agent answer no call of the conversation',
      [say('a', null), aside(call('s', null, 'm', 'x')), result('r', 'a', 'x'), say('b', 'r')],
      ['3 orphan-result'],
      'a< s<!x b<a',
      'drop 3 · change 4',
    ],
    [
      'that go do not lead on from another line with their id',
      [
        ...[say('a', null), call('c', 'a', 'm', 't'), result('r', 'c', 'x'), result('r', 'c', 't')],
        say('b', 'r'),
      ],
      ['3 orphan-result'],
      'a< c<a!t r<c=t b<r',
      'drop 3',
    ],
  ])('%s', async (...scene) => expectScene(scene))
})

describe('M12 calls of Claude Code that nothing answers', () => {
  it.each<Case>([
    ['the last line of all', [call('c', null, 'm', 't')], ['1 missing-result'], 'c<!t new<c=t', 'insert 1'],
    [
      'what followed goes on from the result; what else followed does not',
      [call('c', null, 'm', 't'), say('x', 'c'), say('b', 'c'), say('d', 'b')],
      ['1 missing-result'],
      'c<!t new<c=t x<c b<new d<b',
      'insert 1 · change 3',
    ],
    [
      'all of a line at once, in their order; what is answered is not among them',
      [call('c', null, 'm', 't', 'u', 'v'), result('r', 'c', 'u'), say('b', 'r')],
      ['1 missing-result'],
      'c<!t!u!v new<c=t=v r<new=u b<r',
      'insert 1 · change 2',
    ],
    [
      'between two lines of a response the result hangs beside',
      [call('c', null, 'm', 't'), call('d', 'c', 'm', 'u'), result('r', 'd', 'u'), say('b', 'r')],
      ['1 missing-result'],
      'c<!t new<c=t d<c!u r<d=u b<r',
      'insert 1',
    ],
    [
      'two responses are two, and so are those that have no name',
      [call('c', null, 'm', 't'), call('d', 'c', 'n', 'u'), call('e', 'd', null, 'v'), say('b', 'e')],
      ['1 missing-result', '2 missing-result', '3 missing-result'],
      'c<!t new<c=t d<new!u new<d=u e<new!v new<e=v b<new',
      'insert 1 · change 2 · insert 2 · change 3 · insert 3 · change 4',
    ],
    [
      'a response is sent with all of its lines, though the conversation goes on from one',
      [call('c', null, 'm', 't'), call('d', 'c', 'm', 'u'), result('r', 'c', 't'), say('b', 'r')],
      ['2 missing-result'],
      'c<!t d<c!u new<d=u r<c=t b<r',
      'insert 2',
    ],
    [
      'what the conversation left is not sent',
      [say('a', null), call('c', 'a', 'm', 't'), call('d', 'a', null, 'u'), say('b', 'a')],
      [],
      'a< c<a!t d<a!u b<a',
      '',
    ],
    [
      'a sub-agent may leave its calls open, and a line without a place',
      [
        ...[say('a', null), aside(call('s', null, 'm', 'x')), say('b', 'a')],
        { ...call('', 'b', 'n', 'y'), uuid: undefined },
      ],
      [],
      'a< s<!x b<a <b!y',
      '',
    ],
    [
      'a result that is a sub-agent’s answers nothing, nor does one that goes',
      [
        ...[say('a', null), call('c', 'a', 'm', 't'), aside(result('s', 'c', 't')), result('r', 'c', 'x')],
        say('b', 'r'),
      ],
      ['2 missing-result', '4 orphan-result'],
      'a< c<a!t new<c=t s<c=t b<new',
      'insert 2 · drop 4 · change 5',
    ],
    [
      'of a line that is there twice, once',
      [call('c', null, 'm', 't'), call('c', null, 'm', 't'), say('b', 'c')],
      ['1 missing-result', '2 duplicate-entry → 1'],
      'c<!t new<c=t b<new',
      'insert 1 · drop 2 · change 3',
    ],
    [
      'nor is a response with all of its lines, where only a message of the user has its name',
      [...[say('a', null), call('c', 'a', 'm', 't')], line('user', 'b', 'a', { id: 'm', content: 'b' })],
      [],
      'a< c<a!t b<a',
      '',
    ],
    [
      'on the last of two lines with one id',
      [say('a', null), call('c', 'a', 'm', 't'), call('c', 'a', 'n', 'u'), say('b', 'c')],
      ['3 missing-result'],
      'a< c<a!t c<a!u new<c=u b<new',
      'insert 3 · change 4',
    ],
  ])('%s', async (...scene) => expectScene(scene))

  it('a result is a line of the session, at the time of its call, and says what is missing', async () => {
    const like = {
      ...{ userType: 'external', cwd: '/w', sessionId: 's', version: '2.1', gitBranch: 'main' },
      timestamp: '2026-11-01T08:00:00.000Z',
    }
    const { text, check } = await play([
      say('a', null),
      { ...call('c', 'a', 'm', 't'), ...like, requestId: 'q' },
    ])
    const made = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
    const missing = '[Tool result missing due to internal error]'
    expect(made).toEqual({
      ...{ parentUuid: 'c', ...like, isSidechain: false, type: 'user', uuid: expect.stringMatching(MADE) },
      message: {
        role: 'user',
        content: [{ tool_use_id: 't', type: 'tool_result', content: missing, is_error: true }],
      },
      toolUseResult: `Error: ${missing}`,
    })
    expect(check.findings).toMatchObject([
      { class: 'missing-result', line: 2, entryId: made.uuid, risk: 'low' },
    ])
    expect(check.plan.steps).toMatchObject([{ kind: 'insert', line: 2, entryId: made.uuid, role: 'user' }])
    expect(check.entries).toEqual({ before: 2, dropped: 0, after: 3 })
  })

  it('its id is always the same, for each result another, and none that is there', async () => {
    const lines = [call('c', null, 'm', 't'), say('b', 'c'), call('d', 'b', 'n', 't')]
    const made = (text: string) =>
      text.split('\n').flatMap((one) => (one.includes('"toolUseResult"') ? [JSON.parse(one).uuid] : []))
    const ids = made((await play(lines)).text)
    expect(new Set(ids).size).toBe(2)
    expect(made((await play(lines)).text)).toEqual(ids)
    expect(made((await play([say('b', null), lines[2] as Line])).text)).toEqual([ids[1]])
    const taken = made((await play([...lines, say(ids[0], 'd')])).text)
    expect(taken).toHaveLength(2)
    expect(taken).not.toContain(ids[0])
    expect(taken).toContain(ids[1])
    const twice = { ...call('c', null, 'm', 't'), again: true }
    expect(new Set(made((await play([lines[0] as Line, twice])).text)).size).toBe(2)
  })
})
