import { expect, it } from 'vitest'
import { sessionOfPath } from '../../../testing/builders/replay-sessions'
import { DEFAULT_POLICY } from '../../policy/default-policy'
import { NO_PRICES } from '../../tokens/own-prices'
import { replaySession } from '../replay'
import type { ReplaySession } from '../replay-session'
import { policyReplay } from './of-policy'
import { runtimeDefaults } from './runtime-policies'

/** Twenty calls that each bring 4,000 tokens in: from the second one on they are above 4,096, and at last 80,000. */
const PATH = Array.from({ length: 20 }, () => 'u=4000').join(' | ')

/** The session where the provider cuts prompts to 4,096, and what its runtime believes in. */
function cutSession(believed: number): ReplaySession {
  const session = sessionOfPath(PATH)
  const { count } = session.calls
  const calls = {
    ...session.calls,
    window: new Int32Array(count).fill(4_096),
    believed: new Int32Array(count).fill(believed),
  }
  return { ...session, calls }
}

const openclaw = runtimeDefaults().find(({ id }) => id === 'runtime-openclaw')
const draft = policyReplay(DEFAULT_POLICY, {
  ...{ id: 'draft', label: 'Draft', family: 'draft', source: 'here', about: 'a draft' },
})

it('where a provider cuts prompts, a runtime compacts in the window that it believes in, and a draft in the one that is seen', () => {
  if (openclaw === undefined) throw new Error('OpenClaw is not among the runtimes')
  const large = replaySession(cutSession(200_000), openclaw, NO_PRICES)
  // Nothing reaches its line, and nearly no call fits into what the provider takes.
  expect(large.compactions).toBe(0)
  expect(large.overfull).toBe(19)
  expect(replaySession(cutSession(64_000), openclaw, NO_PRICES).compactions).toBeGreaterThan(0)
  const [seen, other] = [200_000, 64_000].map((believed) =>
    replaySession(cutSession(believed), draft, NO_PRICES),
  )
  expect(seen).toEqual(other)
  expect(seen?.compactions).toBeGreaterThan(0)
})
