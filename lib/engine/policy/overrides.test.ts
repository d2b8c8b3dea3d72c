import { expect, test } from 'vitest'
import { effectivePolicy, liveSubject } from '../../core/policy/effective'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import { liveAgent, turnsOf } from '../../testing/live-conversation'

const FILE = `
policy: { lines: { compact: { at: 0.5 } } }
overrides:
  - channel: telegram
    policy: { lines: { compact: { at: 0.8 }, hard: { at: 0.85 } } }
`

test('meter: the override that is shown for a live session is the one that its trigger obeys', async () => {
  const own = { label: 'plimsoll.yaml', file: readPolicy(parseSource(FILE, 'plimsoll.yaml')) }
  const steps = async (key: string) => {
    const { policy } = effectivePolicy(
      { own, store: [], chosen: null },
      liveSubject(key, 'claude-sonnet-4-5'),
    )
    const { context } = liveAgent(turnsOf(65), policy, { window: 35_000, onFlush: async () => undefined })
    const { steps: done, after } = await context.beforeResponse()
    return { compacts: done.includes('compact'), next: after.next?.name }
  }
  expect((await steps('agent:harbour:main')).compacts).toBe(true)
  expect((await steps('agent:harbour:telegram:direct:pilot')).compacts).toBe(false)
})

test('a live session is known by the parts of its key, and by its name where that is none', () => {
  expect(liveSubject('agent:harbour:telegram:direct:pilot', 'm')).toEqual({
    ...{ store: [], agent: 'harbour', channel: 'telegram', model: 'm' },
    session: ['agent:harbour:telegram:direct:pilot'],
  })
  expect(liveSubject('nightly', null)).toMatchObject({ agent: null, channel: null, session: ['nightly'] })
})
