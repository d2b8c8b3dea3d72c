import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { pruneContext } from '../../core/pruning/prune-context'
import { type PruneIndex, pruneIndex } from '../../core/pruning/prune-index'
import { prunePlan, rulesAlone } from '../../core/pruning/prune-plan'
import { PRUNE_RULE_NAMES } from '../../core/pruning/prune-rule-names'
import { Prunable, readPrunable } from '../builders/prunable'
import { type Bench, type Measurement, median } from './report'

const ENTRIES = 50_000
const RUNS = 15
/** A page or a long-lived command has long been compiled when a knob moves. */
const WARM_UP = 15

/** How long a plan of pruning takes for a session that is far longer than any window. */
export const pruningBench: Bench = {
  name: 'pruning',
  title: 'Pruning: plans of a long session',
  async run({ log }) {
    const messages = readPrunable(longSession())
    const policy: Policy = {
      ...DEFAULT_POLICY,
      pruning: { ...DEFAULT_POLICY.pruning, cacheTtl: { ...DEFAULT_POLICY.pruning.cacheTtl, enabled: true } },
    }
    const index = pruneIndex(messages)
    const context = () => contextOf(index, policy)
    log(`${messages.length} messages, ${prunePlan(context(), PRUNE_RULE_NAMES).decisions.length} decisions`)
    return [
      figure('what plans need of the session, once', null, () => pruneIndex(messages)),
      figure('a plan of all rules together', 50, () => prunePlan(context(), PRUNE_RULE_NAMES)),
      figure('each rule by itself, one after the other', null, () => rulesAlone(context())),
    ]
  },
}

/** All that a policy decides is done anew, as when a knob was moved. */
function contextOf(index: PruneIndex, policy: Policy) {
  const now = (index.messages.at(-1)?.at ?? 0) + 600_000
  return pruneContext(index, { policy, window: 200_000, now, lastTouchAt: now - 600_000 })
}

/** CPU time, since the machine may be busy with other things. */
function figure(what: string, limit: number | null, work: () => unknown): Measurement {
  for (let i = 0; i < WARM_UP; i++) work()
  const times = Array.from({ length: RUNS }, () => {
    const start = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  const entries = ENTRIES.toLocaleString('en')
  return { what: `${what}, ${entries} entries`, value: median(times), unit: 'ms', limit, note: 'CPU, median' }
}

function longSession() {
  const made = new Prunable()
  const text = 'berth 4 is free, crane 2 is down. '.repeat(300)
  for (let i = 0; made.messages.length < ENTRIES; i++) {
    const path = `src/dock${i % 400}.ts`
    if (i % 25 === 0) made.user(`look at ${path}`)
    const answer = text.slice(0, 200 + ((i * 977) % 9000))
    if (i % 5 === 0) made.call('write', { path, content: answer }, 'written', { isError: i % 35 === 0 })
    else if (i % 3 === 0) made.call('bash', { command: `grep -n berth${i % 900} src` }, answer)
    else made.call('read', i % 2 ? { path } : { path, offset: i % 7, limit: 80 }, answer)
  }
  return made.messages.slice(0, ENTRIES)
}
