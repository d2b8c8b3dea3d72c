import { expect, it } from 'vitest'
import { planWindowWords } from './plan-window'

it('a plan names its window, and why it is another one than the runtime reckons with', () => {
  const believed = { tokens: 32_768, source: 'catalogue' } as const
  expect(planWindowWords(4_096, { tokens: 4_096, source: 'cut', believed }, 'OpenClaw 2026.7.1')).toBe(
    '4\u202f096 tokens, to which the provider cuts prompts; OpenClaw 2026.7.1 reckons with 32\u202f768',
  )
  const same = { tokens: 4_096, source: 'catalogue' } as const
  expect(planWindowWords(4_096, { tokens: 4_096, source: 'cut', believed: same }, 'pi')).toBe(
    '4\u202f096 tokens, to which the provider cuts prompts',
  )
  expect(planWindowWords(200_000, { tokens: 200_000, source: 'model' }, 'pi')).toBe('200\u202f000 tokens')
  expect(planWindowWords(50_000, { tokens: 200_000, source: 'model' }, 'pi')).toBe(
    '50\u202f000 tokens, which the draft names',
  )
})
