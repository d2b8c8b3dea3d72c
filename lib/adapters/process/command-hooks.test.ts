import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runHook } from '../../engine/compaction/compaction-hooks'
import { temporaryFolder } from '../../testing/store-folder'
import { commandHooks } from './command-hooks'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const facts = { session: "it's; $(touch x)", tokensBefore: 12 }

test('T5: both events run their commands in order, with JSON on standard input', async () => {
  const out = join(folder, 'out')
  const hooks = commandHooks({
    before: [`cat >> ${out}`, `echo second >> ${out}`],
    after: [`cat >> ${out}`],
    timeoutMs: 5_000,
  })
  expect(await hooks.run('before', facts)).toEqual([])
  expect(await hooks.run('after', facts)).toEqual([])
  const lines = readFileSync(out, 'utf8').trim().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toEqual({ ...facts, event: 'before_compaction' })
  expect(lines[1]).toBe('second')
  expect(JSON.parse(lines[2] ?? '')).toEqual({ ...facts, event: 'after_compaction' })
})

test('T5: a hook that fails, hangs or is not there becomes a note, and the next one runs', async () => {
  const out = join(folder, 'out')
  const hooks = commandHooks({
    before: ['echo no >&2; exit 3', 'sleep 60', 'no-such-command-anywhere', `echo ok > ${out}`],
    after: [],
    timeoutMs: 300,
  })
  const notes = await hooks.run('before', facts)
  expect(notes).toHaveLength(3)
  expect(notes[0]).toContain('ended with 3: no')
  expect(notes[1]).toContain('was ended after 0.3 s')
  expect(readFileSync(out, 'utf8')).toBe('ok\n')
})

test('T5: a hook that throws is contained', async () => {
  const throws = { run: async () => Promise.reject(new Error('boom')) }
  expect(await runHook(throws, 'after', facts)).toEqual(['The hooks after compaction failed: boom'])
})
