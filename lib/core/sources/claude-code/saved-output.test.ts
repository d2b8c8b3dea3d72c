import { expect, test } from 'vitest'
import { savedOutputName } from './saved-output'

const note = (place: string) =>
  `<persisted-output>\nOutput too large (369.2KB). Full output saved to: ${place}\n\nPreview (first 2KB):\nline 1\n...\n</persisted-output>`

test('an output that was too long to send names the file that has all of it', () => {
  expect(savedOutputName(note('/home/me/.claude/projects/-w/s1/tool-results/toolu_01Ab.txt'))).toBe(
    'toolu_01Ab.txt',
  )
  expect(savedOutputName(note('C:\\Users\\me\\.claude\\projects\\w\\s1\\tool-results\\b7.json'))).toBe(
    'b7.json',
  )
  expect(
    savedOutputName(
      '<persisted-output>\nOutput exceeded the 64MB persist limit; only the first 64MB were saved to: /a/b7.txt\n',
    ),
  ).toBe('b7.txt')
})

test('any other text names none', () => {
  expect(savedOutputName('Full output saved to: /a/b7.txt')).toBeNull()
  expect(savedOutputName('<persisted-output>\nnothing of a file')).toBeNull()
  expect(savedOutputName(`<persisted-output>${' '.repeat(6_000)}saved to: /a/b7.txt`)).toBeNull()
})

test('a name that leads elsewhere is none', () => {
  for (const place of ['/a/..', '/a/.bash_history', '/a/', `/a/${'x'.repeat(300)}`, '/a/b\u0000c', '/a/b c'])
    expect(savedOutputName(note(place)), place).toBeNull()
})
