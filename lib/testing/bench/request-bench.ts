import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { liveAgent, turnsOf } from '../live-conversation'
import { type Bench, type Measurement, median } from './report'

const TURNS = 5_000
const RUNS = 41
/** What a request below every line may cost more than one without us. Milliseconds of processor time. */
const MOST_MS = 5

/** What the manager costs a request when nothing is due, in a long live conversation. */
export const requestBench: Bench = {
  name: 'request',
  title: `A request below every line, in a live conversation of ${TURNS} turns`,
  async run({ log }): Promise<readonly Measurement[]> {
    const { context, held } = liveAgent(turnsOf(TURNS, 1), DEFAULT_POLICY, { window: 4_000_000 })
    await context.beforeResponse()
    log(`${held.messages.length} messages, median of ${RUNS} requests`)
    const taken: number[] = []
    for (let i = 0; i < RUNS; i++) {
      held.messages = [...held.messages, { role: 'user', content: `And berth ${i}?` }]
      const from = process.cpuUsage()
      await context.beforeResponse([{ role: 'user', content: 'Which berth is free?' }])
      const { user, system } = process.cpuUsage(from)
      taken.push((user + system) / 1000)
    }
    return [{ what: 'beforeResponse, nothing due', value: median(taken), unit: 'ms', limit: MOST_MS }]
  },
}
