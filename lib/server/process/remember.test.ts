import { beforeEach, expect, test, vi } from 'vitest'
import { remember } from './remember'

let name: string
let names = 0

beforeEach(() => {
  name = `remember ${names++}`
})

test('what was made is kept as long as the stamp is the same, and shared by those who ask meanwhile', async () => {
  const known = remember<string, Promise<number>>(name, 2)
  const load = vi.fn(async () => load.mock.calls.length)
  expect(await Promise.all([known('a', 1, load), known('a', 1, load)])).toEqual([1, 1])
  expect(await known('a', 1, load)).toBe(1)
  expect(await known('a', 2, load)).toBe(2)
})

test('the key that was not asked for for longest is forgotten', () => {
  const known = remember<string, string>(name, 2)
  const ask = (key: string, value: string) => known(key, '', () => value)
  ask('a', 'first')
  ask('b', 'first')
  expect(ask('a', 'second')).toBe('first')
  ask('c', 'first')
  expect(ask('a', 'third')).toBe('first')
  expect(ask('b', 'second')).toBe('second')
})

test('a new stamp replaces what was kept of its key, forgets no other, and is made from what there was', () => {
  const known = remember<string, string>(name, 2)
  known('a', 1, () => 'a')
  known('b', 1, () => 'b')
  expect(known('a', 2, (earlier) => `${earlier} and more`)).toBe('a and more')
  expect(known('b', 1, () => 'again')).toBe('b')
})

test('a failure is not kept', async () => {
  const known = remember<string, Promise<string>>(name, 1)
  await expect(known('a', 1, () => Promise.reject(new Error('locked')))).rejects.toThrow('locked')
  expect(await known('a', 1, async () => 'read')).toBe('read')
})

test('a failure takes no later answer away', async () => {
  const known = remember<string, Promise<string>>(name, 1)
  let fail = () => {}
  const first = known('a', 1, () => new Promise((_, reject) => (fail = () => reject(new Error('late')))))
  const load = vi.fn(async () => 'read')
  await known('a', 2, load)
  fail()
  await expect(first).rejects.toThrow('late')
  await known('a', 2, load)
  expect(load).toHaveBeenCalledTimes(1)
})

test('the same name is the same memory', () => {
  remember<string, string>(name, 1)('a', 1, () => 'one')
  expect(remember<string, string>(name, 1)('a', 1, () => 'other')).toBe('one')
})
