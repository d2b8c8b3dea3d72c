import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { liveAgent, turnsOf } from '../testing/live-conversation'

const PARTS = { identity: 'You keep the harbour log.' }
const ASK = { role: 'user', content: 'Which berth is free?' }

const agentIn = (window: number) => liveAgent(turnsOf(3), DEFAULT_POLICY, { window }).context

test('A9: in a window below 16,000 no request is made, and each door says which value refuses it', async () => {
  const context = agentIn(15_999)
  const why = /window of 15999 tokens is below 16000, where a run is refused \(window\.blockBelow/
  expect((await context.beforeResponse([ASK])).failure).toMatch(why)
  expect((await context.status()).warnings.join()).toMatch(why)
  const refusal = { code: 'WINDOW_REFUSED', message: expect.stringMatching(why) }
  await expect(context.request({ parts: PARTS, prompt: [ASK] })).rejects.toMatchObject(refusal)
  let asked = 0
  const send = context.send(async () => {
    asked += 1
  })
  await expect(send).rejects.toMatchObject(refusal)
  expect(asked).toBe(0)
})

test('A9: below 32,000 it is warned about, once; from there on nothing is said', async () => {
  const small = agentIn(16_000)
  const first = await small.beforeResponse([ASK])
  expect([first.failure, first.warnings]).toEqual([
    null,
    [expect.stringMatching(/16000 tokens is below 32000/)],
  ])
  expect((await small.beforeResponse([ASK])).warnings).toEqual([])
  expect((await small.request({ parts: PARTS, prompt: [ASK] })).messages.length).toBeGreaterThan(0)
  const enough = agentIn(32_000)
  expect((await enough.beforeResponse([ASK])).warnings).toEqual([])
  expect((await enough.status()).warnings).toEqual([])
})
