import { expect, test } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { readPlanKnobs } from '../../view/compaction/plan-knobs'
import { DEFAULT_LIST_PARAMS } from '../../view/session-list/session-list'
import { getSessionList } from '../session-list/session-list'
import { getComparison, getPlan } from './session-plan'

const SETTINGS = `{
  meta: { lastTouchedVersion: '2026.7.1' },
  models: { providers: { ollama: { models: [{ id: 'llama3.1', contextWindow: 32768 }] } } },
}
`

/** A session of Ollama, whose prompts are cut to 4,096 tokens from the seventh call on. */
function cutSession(): string {
  const builder = new TranscriptBuilder({ id: 'cut' })
  for (let round = 1; round <= 40; round++) {
    builder.user(`Berth ${round}: ${'which ship lies there, and since when? '.repeat(60)}`)
    builder.assistant('It is free. '.repeat(30), {
      model: 'llama3.1',
      usage: { input: Math.min(4_096, 600 * round), output: 100 },
      fields: { provider: 'ollama' },
    })
  }
  return builder.text()
}

serverWorld(() => ({
  'store/openclaw.json': SETTINGS,
  'store/agents/main/sessions/cut.jsonl': cutSession(),
}))

test('X10: where the provider cuts prompts, a plan is for what the model sees, and names both windows', async () => {
  const [row] = (await getSessionList(DEFAULT_LIST_PARAMS, 0)).rows
  const plan = await getPlan(row?.id ?? '', readPlanKnobs({}))
  expect(plan).toMatchObject({
    kind: 'plan',
    window: 4_096,
    windowWords:
      '4\u202f096 tokens, to which the provider cuts prompts; OpenClaw 2026.7.1 reckons with 32\u202f768',
  })
  expect(plan?.kind === 'plan' && plan.tokensAfter.value).toBeLessThan(4_096)
  const view = await getComparison(row?.id ?? '', readPlanKnobs({}))
  // Its reserve alone is larger than that window.
  expect(view?.rows.find(({ name }) => name === 'openclaw')?.fires).toMatch(/^at every call/)
})
