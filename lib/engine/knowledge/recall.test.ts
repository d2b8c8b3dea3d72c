import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { type MemorySearch, recallFor } from './recall'

/** A memory that has nothing and notes what is asked of it. */
function watchedMemory(): { readonly calls: readonly string[]; readonly memory: MemorySearch } {
  const calls: string[] = []
  const memory: MemorySearch = {
    refresh: async () => {
      calls.push('refresh')
      return { problems: [], notes: [] }
    },
    search: (prompt) => {
      calls.push(`search ${prompt}`)
      return []
    },
  }
  return { calls, memory }
}

test.each<{ readonly name: string; readonly semantic: Partial<Policy['semantic']>; readonly prompt: string }>(
  [
    { name: 'recall is off', semantic: { enabled: false, memorySearch: true }, prompt: 'Which berth?' },
    {
      name: 'the memory search is off',
      semantic: { enabled: true, memorySearch: false },
      prompt: 'Which berth?',
    },
    { name: 'nothing is asked', semantic: { enabled: true, memorySearch: true }, prompt: ' \n' },
  ],
)('G1: where $name, the search is not called', async ({ semantic, prompt }) => {
  const { calls, memory } = watchedMemory()
  const policy = { ...DEFAULT_POLICY, semantic: { ...DEFAULT_POLICY.semantic, ...semantic } }
  const recalled = await recallFor(prompt, { policy, window: 200_000, memory, sizeOf: (text) => text.length })
  expect(calls).toEqual([])
  expect(recalled).toMatchObject({ text: '', tokens: 0, looked: [] })
  expect(recalled.warnings.length).toBe(semantic.memorySearch === false ? 1 : 0)
})

test('G1: where both are on, the search is called once with the prompt', async () => {
  const { calls, memory } = watchedMemory()
  const policy = {
    ...DEFAULT_POLICY,
    semantic: { ...DEFAULT_POLICY.semantic, enabled: true, memorySearch: true },
  }
  await recallFor('Which berth?', { policy, window: 200_000, memory, sizeOf: (text) => text.length })
  expect(calls).toEqual(['refresh', 'search Which berth?'])
})
