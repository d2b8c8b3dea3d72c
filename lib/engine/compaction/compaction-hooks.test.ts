import { expect, it } from 'vitest'
import { type CompactionHooks, NO_HOOKS, runHook } from './compaction-hooks'

it('T5 without hooks there is nothing to run; what went wrong is said in words, and what answers no list says nothing', async () => {
  expect([NO_HOOKS.has?.('before'), await NO_HOOKS.run('before', {})]).toEqual([false, []])
  const answering = (answer: unknown) =>
    runHook({ run: async () => answer } as unknown as CompactionHooks, 'after', {})
  expect(await answering(['one', 2])).toEqual(['one', '2'])
  expect(await answering(undefined)).toEqual([])
})
