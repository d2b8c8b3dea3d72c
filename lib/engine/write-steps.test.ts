import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FileState } from './receipt'
import type { Writer } from './write-ports'
import { keepBackups, type Step } from './write-steps'

const state = { dev: '1', ino: '1', size: 1, mtimeNs: '1', mode: 0o600, uid: 0, gid: 0, hash: 'h' }
const step = (i: number): Step => {
  const [path, expected]: [string, FileState] = [`/f${i}`, state]
  return { kind: 'remove', path, from: null, expected, operation: { op: 'remove', file: path, expected } }
}

test('many copies are made side by side, told in their order; after one that fails nothing is begun, and nothing goes on', async () => {
  const steps = Array.from({ length: 100 }, (_, i) => step(i))
  const run = async (failing: string | null) => {
    const [begun, ended]: [string[], string[]] = [[], []]
    const keep: Writer['backups']['keep'] = async (file) => {
      begun.push(file)
      if (file === failing) throw new Error('no such disk')
      for (let i = 0; i < 5; i++) await setImmediate()
      ended.push(file)
      return { kept: true, backup: `/b${file}`, removed: { bytes: 0, count: 0 } }
    }
    const backups = { keep, check: async () => 'good' as const }
    const done = keepBackups({ backups }, steps, [])
    const outcome = await done.then((changes) => changes.map(({ backup }) => backup)).catch(String)
    return { begun, ended, outcome }
  }
  expect((await run(null)).outcome).toEqual(steps.map(({ path }) => `/b${path}`))
  const { begun, ended, outcome } = await run('/f3')
  expect(outcome).toBe('Error: no such disk')
  expect(begun.length).toBeLessThan(100)
  expect(ended).toHaveLength(begun.length - 1)
})
