import { expect, test } from 'vitest'
import { readPackedBlock } from './packed-block'
import { RowShapeError } from './rows'

test('a block is read as it was written', () => {
  expect(readPackedBlock('{"kinds":[["user"]],"rows":[[0,12]]}', 'entries')).toEqual({
    kinds: [['user']],
    rows: [[0, 12]],
  })
})

test.each([
  'null',
  '7',
  '[]',
  '{"kinds":[]}',
  '{"rows":[]}',
  '{"kinds":[],"rows":{}}',
  '{"kinds":"","rows":[]}',
])('a text that is no block is refused, with what it was to hold: %s', (text) => {
  expect(() => readPackedBlock(text, 'calls')).toThrow(
    new RowShapeError('A block of calls in the database is no block'),
  )
})
