import { expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { bytesOf } from '../../testing/write-scenarios'
import { contextLines } from './context-lines'

it('M5 the context at the end of a transcript, by its lines; blank ones and torn ones count as lines and no more', async () => {
  const t = new TranscriptBuilder()
  t.user('Which berth is free?')
  t.assistant('Berth 4.')
  const [header = '', ask = '', answer = ''] = t.text().split('\n')
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const read = (...lines: string[]) => contextLines(bytesOf(lines.join('\n')), decode, 'pi')

  const plain = await read(header, ask, answer, '')
  expect(plain.lines).toEqual([2, 3])
  expect(plain.branches.facts.map(({ seq, offset, bytes }) => [seq, offset, bytes])).toEqual([
    [0, 0, header.length],
    [1, header.length + 1, ask.length],
    [2, header.length + ask.length + 2, answer.length],
  ])
  const damaged = await read(header, '', ask, '  ', '{torn', answer)
  expect(damaged.lines).toEqual([3, 6])
  expect(damaged.branches.facts.map(({ seq, line }) => [seq, line])).toEqual([
    [0, 1],
    [1, 3],
    [2, 5],
    [3, 6],
  ])
})
