import { createHash } from 'node:crypto'
import type { ReplayPolicy } from '../../../core/replay/replay-policy'
import { NEED_KINDS, type ReplaySession } from '../../../core/replay/replay-session'
import type { LabMaterial } from '../lab/lab-material'
import { type CaseVerdict, caseVerdicts } from './case-windows'
import { inSmallWindow, judgedPolicies } from './judged-policies'

/** A draw of cases: what it is called, which chooses them, and of which kinds how many at most. */
export type Draw = {
  readonly name: string
  readonly kinds: readonly (typeof NEED_KINDS)[number][]
  readonly most: number
}

/** A need under a policy that took a source of it away. */
export type NeedCase = {
  readonly material: LabMaterial
  readonly session: ReplaySession
  readonly policy: ReplayPolicy
  readonly need: number
  readonly kind: string
  readonly text: string
  /** Sequence number of the entry of its call. */
  readonly entry: number
  readonly verdict: CaseVerdict
}

export function casesOf(material: LabMaterial): NeedCase[] {
  const session = inSmallWindow(material.replay)
  const { needs, spans, calls } = session
  return judgedPolicies().flatMap((policy) =>
    [...caseVerdicts(session, policy)].map(([need, verdict]): NeedCase => {
      const kind = NEED_KINDS[needs.kind[need] as number] ?? ''
      const text = spans.texts[needs.span[need] as number] ?? ''
      const entry = calls.entry[needs.at[need] as number] as number
      return { material, session, policy, need, kind, text, entry, verdict }
    }),
  )
}

/** What is judged once, whatever the policy and the call: the session, the kind and the text. */
export function caseSubject(session: string, kind: string, text: string): string {
  return hashed(`${session} ${kind} ${text}`)
}

/**
 * As many of a kind that were lost as that were not, where there are so many, none twice and none that was judged before,
 * in an order that says nothing. The name of the draw is its seed.
 */
export function drawCases(all: readonly NeedCase[], draw: Draw, judged: ReadonlySet<string>): NeedCase[] {
  const drawn = new Set(judged)
  return draw.kinds.flatMap((kind) => ofKind(all, kind, draw, drawn)).toSorted(byHash(`${draw.name} order`))
}

function ofKind(
  all: readonly NeedCase[],
  kind: string,
  { name, most }: Draw,
  drawn: Set<string>,
): NeedCase[] {
  const own = all.filter((one) => one.kind === kind).toSorted(byHash(name))
  const chosen: NeedCase[] = []
  const take = (count: number, is: (one: NeedCase) => boolean) => {
    for (const one of own) {
      if (chosen.length >= count) return
      const subject = caseSubject(one.material.replay.sessionId, kind, one.text)
      if (drawn.has(subject) || !is(one)) continue
      drawn.add(subject)
      chosen.push(one)
    }
  }
  take(most / 2, ({ verdict }) => verdict === 'lost')
  take((3 * most) / 4, ({ verdict }) => verdict === 'pointer')
  take(most, ({ verdict }) => verdict === 'met')
  take(most, () => true)
  return chosen
}

function byHash(seed: string): (a: NeedCase, b: NeedCase) => number {
  const hashes = new Map<NeedCase, string>()
  const of = (one: NeedCase) => {
    const { transcriptId } = one.session
    const known =
      hashes.get(one) ??
      hashed(`${seed} ${transcriptId} ${one.kind} ${one.text} ${one.entry} ${one.policy.id}`)
    hashes.set(one, known)
    return known
  }
  return (a, b) => (of(a) < of(b) ? -1 : 1)
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
