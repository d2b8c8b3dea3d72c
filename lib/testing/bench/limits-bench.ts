import { historyBudget } from '../../core/budget/regions'
import { limitHistory } from '../../core/history/limit-history'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { startCalibration } from '../../core/tokens/calibration'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { factTokens, messagesOfContext } from '../builders/messages-of-context'
import { TranscriptBuilder } from '../builders/transcript'
import { type Bench, type Measurement, median } from './report'

const ENTRIES = 50_000
const RUNS = 41

/** A session of so many entries: turns of a user message, two calls with their results, and an answer. */
function sessionFacts(): EntryFact[] {
  const session = new TranscriptBuilder()
  for (let turn = 0; session.lines.length < ENTRIES; turn++) {
    session.user(`Question ${turn}: what does the pilot need to know about berth ${turn % 90}?`)
    for (const call of [`a${turn}`, `b${turn}`]) {
      session.assistant('', { calls: [call], usage: { input: 9, output: 90 } })
      session.result(call, `berth ${turn % 90} `.repeat(40))
    }
    session.assistant('The berth is free until noon.', { usage: { input: 9, output: 30 } })
  }
  return session.facts()
}

function timed(run: () => void): number {
  const times: number[] = []
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** Budget and history limits of a very long session, once it is read. */
export const limitsBench: Bench = {
  name: 'limits',
  title: 'Budget and history limits of a session of 50,000 entries',
  async run({ log }) {
    log(`${ENTRIES} entries, median of ${RUNS} runs`)
    const branches = Branches.of(sessionFacts())
    const messages = messagesOfContext(contextAt(branches, branches.leaf, 'openclaw'))
    const tokensOf = factTokens(startCalibration('anthropic', 'claude-sonnet-4-5'), false)
    let sink = 0
    const pass = timed(() => {
      for (const message of messages) sink += tokensOf(message)
    })
    const used = { system: 8500, bootstrap: 3200 }
    const limit = (maxTurns: number | null, budgeted: boolean) => () => {
      const { clamped } = historyBudget(200_000, DEFAULT_POLICY.budget, used)
      const history = { ...DEFAULT_POLICY.history, maxTurns }
      const budget = budgeted ? clamped : null
      sink += limitHistory(messages, { history, key: null, budget, tokensOf }).messages.length
    }
    const figures: readonly (readonly [string, number])[] = [
      ['no limit', timed(limit(null, false))],
      ['1,000 turns', timed(limit(1000, false))],
      ['148,300 tokens', timed(limit(null, true))],
      ['1,000 turns and 148,300 tokens', timed(limit(1000, true))],
    ]
    const slowest = Math.max(...figures.map(([, ms]) => ms))
    const measured: Measurement[] = figures.map(([what, value]) => ({ what, value, unit: 'ms', limit: 5 }))
    measured.push({
      what: 'the slowest, beside one pass over the entries',
      value: slowest / pass,
      unit: '×',
      limit: 2,
      note: `${slowest.toFixed(2)} ms ÷ ${pass.toFixed(2)} ms`,
    })
    if (sink === 0) throw new Error('nothing was measured')
    return measured
  },
}
