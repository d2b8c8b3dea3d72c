import { createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import { Worker } from 'node:worker_threads'
import { REPLAY_POLICIES } from '../../../core/replay/policies/table'
import { replaySession } from '../../../core/replay/replay'
import { sumReplays } from '../../../core/replay/sum-replays'
import { NO_PRICES } from '../../../core/tokens/own-prices'
import { replayPolicyOf } from '../../../engine/replay/policy-choice'
import { madeSession } from '../../builders/replay-sessions'
import { type Bench, type Measurement, median } from '../report'
import { speedPolicies } from '../speed-policies'
import { FIGURES } from './lab-speed-worker'

const [SESSIONS, CHUNKS, POLICIES] = [1_000, 360, 200]
/** The limits are for two cores, each with a thread. */
const CORES = 2
const RUNS = 5

/** How long replays take: one policy, and as many as a tuning has, over as many sessions as an operator may have. */
export const labSpeedBench: Bench = {
  name: 'lab-speed',
  title: 'Lab: replays of many sessions',
  async run({ log }) {
    const policies = speedPolicies(POLICIES)
    log(`${SESSIONS} sessions of ${CHUNKS} chunks, ${policies.length} policies`)
    const two = await Threads.start(CORES)
    const [load = 0] = loadavg()
    const cpu = process.cpuUsage()
    const first = await timed(() => two.replay(0))
    const all = await timed(() => two.replay(null))
    const used = process.cpuUsage(cpu)
    const places = policies.slice(REPLAY_POLICIES.length, REPLAY_POLICIES.length + RUNS).keys()
    const one: number[] = []
    for (const place of places) one.push((await timed(() => two.replay(REPLAY_POLICIES.length + place))).ms)
    await two.stop()
    const alone = await Threads.start(1)
    const before = process.cpuUsage()
    const single = await timed(() => alone.replay(null))
    const spent = process.cpuUsage(before)
    await alone.stop()
    const sessions = Array.from({ length: SESSIONS }, (_, seed) => madeSession(seed, { chunks: CHUNKS }))
    const [tuned] = policies.slice(REPLAY_POLICIES.length)
    const replays =
      tuned === undefined
        ? []
        : sessions.map((session) => replaySession(session, replayPolicyOf(tuned), NO_PRICES))
    const sums = await timed(() => Promise.resolve(sumReplays(replays)))
    const note = `wall clock, ${CORES} threads; load of the machine before ${load.toFixed(1)}, processor time ${seconds(used)} s`
    return [
      figure(`${POLICIES} policies over all`, all.ms / 1_000, 's', 20, note),
      figure('one policy over all', median(one), 'ms', 300, `wall clock, ${CORES} threads`),
      figure('the first one, with what each session is asked once', first.ms, 'ms', null, note),
      figure(
        'the same with one thread',
        single.ms / 1_000,
        's',
        null,
        `wall clock; processor time ${seconds(spent)} s`,
      ),
      figure(
        'figures that are not the same with one thread and with two',
        all.hash === single.hash ? 0 : 1,
        '',
        0,
        `${POLICIES * SESSIONS * FIGURES} figures, ${all.hash.slice(0, 12)}`,
      ),
      figure('one policy with its intervals', sums.ms, 'ms', null, 'one thread'),
    ]
  },
}

/** Threads that share the sessions out among them. */
class Threads {
  private constructor(private readonly workers: readonly Worker[]) {}

  static async start(count: number): Promise<Threads> {
    const workers = Array.from(
      { length: count },
      (_, from) =>
        new Worker(`import(${JSON.stringify(import.meta.url)}).then((bench) => bench.replayShare())`, {
          eval: true,
          workerData: { from, of: count, sessions: SESSIONS, chunks: CHUNKS, policies: POLICIES },
        }),
    )
    await Promise.all(workers.map(answer))
    return new Threads(workers)
  }

  /** The figures of all replays, by session and policy, as one thread would have them. */
  async replay(policy: number | null): Promise<Float64Array> {
    const answers = this.workers.map(answer)
    for (const worker of this.workers) worker.postMessage(policy)
    const shares = (await Promise.all(answers)).map((share) =>
      share instanceof Float64Array ? share : new Float64Array(),
    )
    const own = (policy === null ? POLICIES : 1) * FIGURES
    const all = new Float64Array(SESSIONS * own)
    for (let session = 0; session < SESSIONS; session++) {
      const from = Math.floor(session / shares.length) * own
      all.set(
        (shares[session % shares.length] ?? new Float64Array()).subarray(from, from + own),
        session * own,
      )
    }
    return all
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }
}

/** The next thing that a thread says; it fails when the thread does. */
function answer(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function timed(work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly hash: string }> {
  const start = performance.now()
  const result = await work()
  const ms = performance.now() - start
  const bytes = result instanceof Float64Array ? new Uint8Array(result.buffer) : new Uint8Array()
  return { ms, hash: createHash('sha256').update(bytes).digest('hex') }
}

function seconds({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1e6).toFixed(1)
}

function figure(what: string, value: number, unit: string, limit: number | null, note: string): Measurement {
  return { what, value, unit, limit, note }
}
