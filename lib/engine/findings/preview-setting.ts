import { type EffectMeasure, measureOfKind } from '../../core/findings/effect/measures'
import { CODEX_SHOWN_SHARE } from '../../core/policy/runtime/codex-rules'
import { SessionFold } from '../../core/transcript/fold/fold'
import type { Tokens } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { type AssignedWindow, callLines, type LinedCall } from '../read/call-line'
import { frameSetupOf } from '../read/frame-setup'
import { type StoredTranscript, sessionsOnce } from '../read/sessions-once'
import type { SettingPlan } from './plan-remedy'
import type { RemedyPorts, RemedyRules } from './remedy-ports'

/** What a setting would do to one session. */
type SessionPreview = {
  readonly sessionId: string
  readonly transcriptId: string
  readonly calls: number
  /** Where the runtime compacts in the window of the last call, now and then, in tokens; null: it does not, or that is unknown. */
  readonly lineNow: Tokens | null
  readonly lineThen: Tokens | null
  /** Calls at or above the line, now and then. */
  readonly aboveNow: number
  readonly aboveThen: number
  /** Whether the next call would compact. */
  readonly nextNow: boolean
  readonly nextThen: boolean
}

export type SettingPreview = {
  readonly sessions: readonly SessionPreview[]
  /** Sessions of the store that are older than those that were tried. */
  readonly more: number
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
  /** What the effect will be measured by, over the calls of these sessions; null: it shows in no call. */
  readonly measure: { readonly name: EffectMeasure['name']; readonly words: string } | null
}

/**
 * What a setting would do to the newest sessions of its store: where they would compact, and at which of their calls.
 * @param most so many sessions are tried
 */
export async function previewSetting(
  ports: RemedyPorts,
  plan: SettingPlan,
  most: number,
): Promise<SettingPreview> {
  const then = await ports.rulesWith(plan.store, plan.file, plan.text)
  const all = sessionsOnce(ports.listed, null).filter(
    ({ store, transcript }) => store.id === plan.store.id && transcript.problem === undefined,
  )
  const sessions: SessionPreview[] = []
  const problems: { file: string; problem: string }[] = []
  for (const listed of all.slice(0, most)) {
    try {
      sessions.push(await previewSession(ports, plan, then, listed))
    } catch (error) {
      problems.push({ file: listed.transcript.path, problem: reasonOf(error) })
    }
  }
  const measure = measureOfKind(plan.finding.kind)
  return {
    ...{ sessions, problems, more: Math.max(0, all.length - most) },
    measure: measure === null ? null : { name: measure.name, words: measure.words },
  }
}

async function previewSession(
  { reader, rules }: Pick<RemedyPorts, 'reader' | 'rules'>,
  plan: SettingPlan,
  then: RemedyRules,
  { store, transcript }: StoredTranscript,
): Promise<SessionPreview> {
  const fold = SessionFold.start(frameSetupOf(store, transcript))
  const calls: (LinedCall & { readonly tokens: Tokens | null })[] = []
  for await (const { facts } of reader.read(store, transcript, null, () => undefined, { texts: false }))
    for (const fact of facts) {
      const { frame } = fold.push(fact)
      if (frame === undefined) continue
      const { provider, model, window, at, total } = frame
      calls.push({ provider, model, window, at, tokens: total.value })
    }
  const session = { store, transcript, totals: fold.totals() }
  const next = fold.next()
  const side = (loads: RemedyRules['loads'], assigned: AssignedWindow | null) => {
    const lineOf = callLines(loads, session, assigned)
    const isAbove = (call: LinedCall, tokens: Tokens | null) => {
      const line = lineOf(call)
      return line !== null && tokens !== null && tokens >= line
    }
    return {
      line: lineOf(next),
      above: calls.filter((call) => isAbove(call, call.tokens)).length,
      next: isAbove(next, next.total.value),
    }
  }
  const [before, after] = [side(rules.loads, null), side(then.loads, windowSetBy(plan))]
  return {
    ...{ sessionId: transcript.sessionId, transcriptId: transcript.id, calls: calls.length },
    ...{ lineNow: before.line, lineThen: after.line },
    ...{ aboveNow: before.above, aboveThen: after.above },
    ...{ nextNow: before.next, nextThen: after.next },
  }
}

/** The window that the setting gives the runtime; null: it is about something else. */
function windowSetBy({ lever, edits, finding, store }: SettingPlan): AssignedWindow | null {
  const { model } = finding.concerns
  const to = edits[0]?.to
  if (lever !== 'window' || typeof to !== 'number' || model === null) return null
  // Codex notes less than its settings name, and so do its sessions.
  return { model, window: store.kind === 'codex' ? Math.floor(to * CODEX_SHOWN_SHARE) : to }
}
