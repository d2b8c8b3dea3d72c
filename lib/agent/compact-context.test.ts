import { expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { liveAgent, turnsOf } from '../testing/live-conversation'

test('D27: an agent that does not take what a compaction made keeps its conversation, and the outcome says why', async () => {
  const messages = turnsOf(30)
  const { context, held } = liveAgent(messages, QUIET_POLICY, {
    setContext: () => {
      throw new Error('the agent is busy')
    },
  })
  const done = await context.compact()
  expect(done).toMatchObject({
    kind: 'refused',
    refusal: { code: 'failed', message: expect.stringContaining('the agent is busy') },
  })
  expect(held.messages).toEqual(messages)
  expect(held.log).toEqual([])
  const full = liveAgent(turnsOf(50), QUIET_POLICY, {
    setContext: () => {
      throw new Error('the agent is busy')
    },
  })
  const { warnings } = await full.context.beforeResponse()
  expect(warnings.join()).toMatch(/The conversation was not compacted: .*the agent is busy/)
})

test('V1: an agent’s own way to curate is asked before a request, and not after a reply', async () => {
  const moments: string[] = []
  let moment = 'before'
  const lines = { ...QUIET_POLICY.lines, curate: { ...QUIET_POLICY.lines.curate, enabled: true, at: 0.2 } }
  const { context } = liveAgent(
    turnsOf(40),
    { ...QUIET_POLICY, lines },
    {
      curate: async ({ messages }: { messages: readonly ContentMessage[] }) => {
        moments.push(moment)
        return messages
      },
    },
  )
  await context.beforeResponse()
  moment = 'after'
  await context.afterResponse()
  expect(moments).toEqual(['before'])
})
