import { expect, test } from 'vitest'
import { chainOf, type SummaryFunction } from './summary-model'

const NEVER = () => new Promise<never>(() => undefined)
const PROMPT = { system: 'You sum up.', user: 'The talk.' }

function asked(
  summary: (...given: Parameters<SummaryFunction>) => unknown,
  more: { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const [model] = chainOf(summary as SummaryFunction, { now: () => 0 }).models
  if (model === undefined) throw new Error('it has one')
  return model.summarize({ prompt: PROMPT, maxTokens: 9, timeoutMs: 60_000, ...more })
}
const failed = (fault: string, message: string) => ({ ok: false, fault, message, again: false })

test('H1 a function is asked with the prompt, the size and a signal that says stop, and answers its text', async () => {
  const given: Parameters<SummaryFunction>[0][] = []
  const answer = await asked((request) => {
    given.push(request)
    return ' In short. '
  })
  expect(answer).toEqual({ ok: true, text: ' In short. ', usage: null })
  expect(given).toEqual([{ ...PROMPT, maxTokens: 9, signal: expect.any(AbortSignal) }])
})

test.each([
  ['an empty text', ''],
  ['an empty text', ' \n'],
  ['number', 7],
  ['object', null],
  ['undefined', undefined],
])('H1 what is no text is a bad answer: %s %j', async (what, text) => {
  expect(await asked(() => text)).toEqual(
    failed('bad-answer', `The function \`summary\` answered ${what}, and not the text of a summary.`),
  )
})

test('H1 a function that throws, or rejects, has failed, and is not asked again', async () => {
  const fails = () => {
    throw new Error('no key')
  }
  const reply = failed('unreachable', 'The function `summary` failed: no key')
  expect(await asked(fails)).toEqual(reply)
  expect(await asked(async () => fails())).toEqual(reply)
})

test('H1 a function that does not answer in time is stopped by its signal', async () => {
  for (const caller of [undefined, new AbortController().signal]) {
    const signals: AbortSignal[] = []
    const reply = await asked(
      ({ signal }) => {
        signals.push(signal)
        return NEVER()
      },
      { timeoutMs: 1, signal: caller },
    )
    expect(reply).toEqual(failed('timeout', 'The function `summary` gave no answer within 1 ms.'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  }
})

test('H1 the caller’s signal stops it, also where it says stop from the first on', async () => {
  const reply = failed('aborted', 'The summary was stopped.')
  const stop = new AbortController()
  const signals: AbortSignal[] = []
  const summary: SummaryFunction = ({ signal }) => {
    signals.push(signal)
    stop.abort()
    return NEVER()
  }
  expect(await asked(summary, { signal: stop.signal })).toEqual(reply)
  expect(await asked(summary, { signal: stop.signal })).toEqual(reply)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

test('H1 an answer leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  await asked(() => 'In short.')
  await asked(() => Promise.reject(new Error('no key')))
  expect(timers()).toBeLessThanOrEqual(before)
})
