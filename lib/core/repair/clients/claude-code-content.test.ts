import { describe, expect, it } from 'vitest'
import { editJson } from '../json-edit'
import { claudeCodeContent } from './claude-code-content'

const say = (text: unknown) => ({ type: 'text', text })
const call = (more: object = {}) => ({ type: 'tool_use', id: 't1', name: 'Read', input: {}, ...more })
const NOTHING = [say('(no content)')]

/** What is wrong with the content of a message, and what the content is then. */
function look(role: 'user' | 'assistant', content: unknown) {
  const message = JSON.parse(JSON.stringify({ role, content }))
  const { calls, results, flaws, edits } = claudeCodeContent(role, message)
  const after = JSON.parse(editJson(JSON.stringify({ message }), edits)).message.content
  return { calls, results, flaws: flaws.map(([found]) => found), after }
}

describe('M10 what a message of Claude Code says', () => {
  it.each<[string, 'user' | 'assistant', unknown]>([
    ['words', 'user', 'go'],
    ['a block of words', 'user', [say('go')]],
    ['a blank block of an answer', 'assistant', [say(' ')]],
    ['a block that is not known', 'user', [{ type: 'from-tomorrow' }]],
    ['an image', 'user', [{ type: 'image' }]],
  ])('%s is left alone', (_what, role, content) => {
    expect(look(role, content)).toEqual({ calls: [], results: [], flaws: [], after: content })
  })

  it('its calls and results are known by their ids', () => {
    const blocks = [say('x'), call(), call({ id: 't2' })]
    expect(look('assistant', blocks)).toEqual({
      ...{ calls: ['t1', 't2'], results: [], flaws: [], after: blocks },
    })
    const results = [
      { type: 'tool_result', tool_use_id: 'r1' },
      { type: 'tool_result' },
      { type: 'tool_result', tool_use_id: 7 },
      { type: 'other', tool_use_id: 'r2' },
      { type: 'tool_result', tool_use_id: 'r3' },
    ]
    expect(look('user', results)).toEqual({ calls: [], results: ['r1', 'r3'], flaws: [], after: results })
  })

  it.each<[string, unknown, string, string, unknown]>([
    ['nothing', undefined, 'no-content', 'no-content', NOTHING],
    ['null', null, 'no-content', 'no-content', NOTHING],
    ['an empty list', [], 'no-content', 'no-content', NOTHING],
    ['a number', 7, 'no-content', 'no-content', NOTHING],
    ['an object', say('x'), 'no-content', 'no-content', NOTHING],
    ['a blank text', ' \n', 'blank-user', 'no-content', '(no content)'],
    ['no block alone', [null], 'broken-block', 'broken-block', NOTHING],
    ['no block', ['x', say('go')], 'broken-block', 'broken-block', [say('go')]],
    ['a block without a type', [{ text: 'x' }, say('go')], 'broken-block', 'broken-block', [say('go')]],
  ])('%s: the content says so, or what is wrong goes', (_what, content, ofUser, ofAnswer, after) => {
    expect(look('user', content)).toEqual({ calls: [], results: [], flaws: [ofUser], after })
    expect(look('assistant', content)).toEqual({ calls: [], results: [], flaws: [ofAnswer], after })
  })

  it('without a message it gets one', () => {
    for (const role of ['user', 'assistant'] as const) {
      const { flaws, edits } = claudeCodeContent(role, null)
      expect(flaws.map(([found]) => found)).toEqual(['no-content'])
      const after = JSON.parse(editJson('{"message":7}', edits))
      expect(after).toEqual({ message: { role, content: NOTHING } })
    }
  })

  it.each<[unknown]>([[' '], [''], [7], [undefined]])('a user says nothing with the text %j', (text) => {
    expect(look('user', [say('a'), say(text), say('b')])).toEqual({
      ...{ calls: [], results: [], flaws: ['blank-user'], after: [say('a'), say('b')] },
    })
  })

  it.each<[string, object]>([
    ['id', { id: undefined }],
    ['id that is a text', { id: 7 }],
    ['id that says something', { id: '' }],
    ['name', { name: undefined }],
    ['name that says something', { name: '' }],
    ['input', { input: undefined }],
    ['input that is an object', { input: [] }],
  ])('a call without an %s goes', (_what, more) => {
    expect(look('assistant', [call(more), say('x')])).toEqual({
      ...{ calls: [], results: [], flaws: ['incomplete-call'], after: [say('x')] },
    })
  })

  it('all that is wrong goes at once; each flaw is said once', () => {
    const blocks = [
      null,
      say(' '),
      call({ id: '' }),
      call(),
      say(''),
      7,
      { type: 'tool_result', tool_use_id: 'r' },
    ]
    expect(look('user', blocks)).toEqual({
      calls: ['t1'],
      results: ['r'],
      flaws: ['broken-block', 'blank-user', 'incomplete-call'],
      after: [call(), { type: 'tool_result', tool_use_id: 'r' }],
    })
  })
})
