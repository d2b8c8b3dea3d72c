import { expect, test } from 'vitest'
import { z } from 'zod'
import { action } from './action'

const schema = z.tuple([z.string().max(5), z.number()])
const work = async (name: string, count: number) => ({ kind: 'done', message: `${name} ${count}` }) as const
const options = { unreadable: 'This names nothing.' }

test('an action that is sent what its schema has answers what the work does', async () => {
  expect(await action(schema, ['abc', 2], work, options)).toEqual({ kind: 'done', message: 'abc 2' })
})

test.each([
  ['another type', [1, 2]],
  ['too long a text', ['abcdef', 2]],
  ['too little', ['abc']],
  ['an object in place of a text', [{ toString: 'x' }, 2]],
])('an action that is sent %s does nothing and says so', async (_, sent) => {
  let calls = 0
  const counted = (_name: string, _count: number) => ++calls
  expect(await action(schema, sent, counted, options)).toEqual({
    kind: 'refused',
    problem: 'This names nothing.',
  })
  expect(calls).toBe(0)
})

test('work that fails is refused, in the words of its error', async () => {
  const failing = async (_name: string, _count: number) => {
    throw new Error('The disk is full.')
  }
  const answer = await action(schema, ['abc', 2], failing, options)
  expect(answer).toEqual({ kind: 'refused', problem: 'The disk is full.' })
})
