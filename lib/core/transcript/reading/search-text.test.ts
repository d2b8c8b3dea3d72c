import { describe, expect, it } from 'vitest'
import { readLine } from './read-line'

const text = 'word '.repeat(1000)
const searchTextOf = (entry: object) =>
  readLine(JSON.stringify({ type: 'message', id: 'a', ...entry }), { seq: 0, line: 1, offset: 0, bytes: 1 })
    .searchText
const content = [{ type: 'text', text }]

describe('the text that can be searched', () => {
  it('takes more of what is said and of what failed than of what tools print', () => {
    expect(searchTextOf({ message: { role: 'assistant', content } })).toBe(text.slice(0, 2048))
    expect(searchTextOf({ message: { role: 'toolResult', content, isError: true } })).toBe(
      text.slice(0, 1024),
    )
    expect(searchTextOf({ message: { role: 'toolResult', content } })).toBe(text.slice(0, 384))
    expect(searchTextOf({ message: { role: 'bashExecution', command: 'ls', output: text } })).toHaveLength(
      384,
    )
    expect(searchTextOf({ message: { role: 'bashExecution', output: text, exitCode: 1 } })).toHaveLength(1024)
    expect(searchTextOf({ message: { role: 'user', content: 'short' } })).toBe('short')
  })

  it('ends at the same place when the text comes in pieces', () => {
    const pieces = ['a'.repeat(380), 'bbb', 'ccc'].map((piece) => ({ type: 'text', text: piece }))
    expect(searchTextOf({ message: { role: 'toolResult', content: pieces } })).toBe(`${'a'.repeat(380)}\nbbb`)
  })
})
