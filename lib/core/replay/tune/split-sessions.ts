/** What a split asks of a session. */
export type SplitSession = {
  readonly transcriptId: string
  readonly owner: string
  /** Milliseconds since the epoch; null: not known, and taken for the oldest. */
  readonly startedAt: number | null
  readonly calls: number
}

/** Numbers of sessions: those a tuner learns on, those it is tested on, and how the two were separated. */
export type SessionSplit = {
  readonly train: readonly number[]
  readonly test: readonly number[]
  readonly by: 'owner' | 'time'
}

const TRAINING = 0.7

/**
 * Takes the older seven tenths to learn on. Sessions of one owner stay together, the owners in the order of their newest
 * session; where there is one owner, or one has more than seven tenths, the split is by time alone.
 */
export function splitSessions(sessions: readonly SplitSession[]): SessionSplit {
  const order = sessions.map((_, i) => i).sort((a, b) => timeOf(sessions[a]) - timeOf(sessions[b]) || a - b)
  const most = sessions.length * TRAINING
  const owners = new Map<string, number[]>()
  for (const i of order) {
    const owner = sessions[i]?.owner ?? ''
    owners.set(owner, [...(owners.get(owner) ?? []), i])
  }
  const newest = (all: readonly number[]) => timeOf(sessions[all.at(-1) ?? -1])
  const byTime = [...owners.values()].sort((a, b) => newest(a) - newest(b) || (a[0] ?? 0) - (b[0] ?? 0))
  const train: number[] = []
  for (const all of byTime) if (train.length + all.length <= most) train.push(...all)
  if (train.length < sessions.length / 2) {
    const at = Math.round(most)
    return { train: sorted(order.slice(0, at)), test: sorted(order.slice(at)), by: 'time' }
  }
  const taken = new Set(train)
  return { train: sorted(train), test: order.filter((i) => !taken.has(i)).sort((a, b) => a - b), by: 'owner' }
}

/** About a share of some sessions, of every length: each so-and-so-many-th in the order of their calls. */
export function stratifiedSample(
  sessions: readonly SplitSession[],
  among: readonly number[],
  share: number,
): readonly number[] {
  const want = Math.min(among.length, Math.max(LEAST_SAMPLE, Math.ceil(among.length * share)))
  const byCalls = among.toSorted((a, b) => (sessions[a]?.calls ?? 0) - (sessions[b]?.calls ?? 0) || a - b)
  const step = byCalls.length / Math.max(1, want)
  return sorted(Array.from({ length: want }, (_, k) => byCalls[Math.floor((k + 0.5) * step)] ?? 0))
}

/** Fewer sessions say nothing. */
const LEAST_SAMPLE = 8

function timeOf(session: SplitSession | undefined): number {
  return session?.startedAt ?? 0
}

function sorted(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b)
}
