import { type Foreseen, foreseenSide } from '../../core/findings/remedies/foreseen'
import { isOfTranscripts } from '../../core/findings/remedies/setting-change'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { SessionReplay } from '../../core/replay/replay-result'
import { promptChange, savingGain, sumReplays } from '../../core/replay/sum-replays'
import { type StoredTranscript, sessionsOnce } from '../read/sessions-once'
import { runtimeChoice } from '../replay/policy-choice'
import { readySessions } from '../replay/ready-sessions'
import type { ReplayExecutor } from '../replay/replay-executor'
import { sentWeighing } from '../replay/sent-weighing'
import type { SettingPlan } from './plan-remedy'
import type { RemedyPorts } from './remedy-ports'

type ForeseePorts = Pick<RemedyPorts, 'listed' | 'rules' | 'rulesWith'> & {
  readonly executor: ReplayExecutor
}

/**
 * What changed settings would have meant for the newest sessions of their store: the runtime is replayed by its settings
 * as they are and as they would be, over the same calls. Heavy: not for an answer that somebody waits for.
 * @param most so many sessions are replayed
 * @returns null when it was stopped, no session has a call, or no call depends on it
 */
export async function foreseeSetting(
  ports: ForeseePorts,
  { store, file, text, lever }: Pick<SettingPlan, 'store' | 'file' | 'text' | 'lever'>,
  most: number,
  signal?: AbortSignal,
): Promise<Foreseen | null> {
  if (isOfTranscripts(lever)) return null
  const { executor, rules } = ports
  const then = await ports.rulesWith(store, file, text)
  const all = newestOf(ports.listed, store.id)
  const chosen = all.slice(0, most).map(({ store: of, transcript }) => ({
    ...{ store: of, transcript, title: transcript.key ?? transcript.sessionId },
    ...{ calls: null, updatedAt: transcript.stamp.mtimeMs },
  }))
  const ready = await readySessions(executor, chosen, () => undefined, signal)
  const weighing = sentWeighing(ready.weighing)
  const sessions = ready.sessions.filter((one) => one !== undefined).filter(({ ready: calls }) => calls > 0)
  const found: (readonly SessionReplay[] | undefined)[] = sessions.map(() => undefined)
  await executor.run(
    sessions.map(({ store: of, transcript, title, packed }) => {
      const choice = (id: string, runtime: RuntimeStore) =>
        runtimeChoice({ id, label: id }, runtime, { store: of, transcript })
      const policies = [choice('now', rules.runtimeOf(store.id)), choice('then', then.runtimeOf(store.id))]
      return { kind: 'replay', store: of, transcript, title, packed, weighing, policies, regrets: 0 }
    }),
    (index, one) => {
      if (one.ok && one.kind === 'replay') found[index] = one.replays
    },
    signal,
  )
  if (signal?.aborted) return null
  const pairs = found.filter((one) => one !== undefined)
  if (pairs.length === 0) return null
  const side = (i: number) => pairs.flatMap((replays) => replays[i] ?? [])
  const [before, after] = [side(0), side(1)]
  const [now, later] = [sumReplays(before), sumReplays(after)]
  return {
    ...{ sessions: pairs.length, calls: now.calls, more: Math.max(0, all.length - most) },
    failed: chosen.length - ready.sessions.filter((one) => one !== undefined).length,
    ...{ now: foreseenSide(now), changed: foreseenSide(later) },
    gain: savingGain(after, before),
    prompt: promptChange(after, before),
  }
}

function newestOf(listed: readonly StoredTranscript[], storeId: string): StoredTranscript[] {
  return sessionsOnce(listed, null).filter(
    ({ store, transcript }) => store.id === storeId && transcript.problem === undefined,
  )
}
