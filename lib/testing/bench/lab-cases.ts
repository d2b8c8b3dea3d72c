import { createHash } from 'node:crypto'
import { NEED_KINDS, type ReplaySession } from '../../core/replay/replay-session'
import { CORPUS } from '../corpus'
import { caseText } from './case-text'
import { type CaseVerdict, caseVerdicts, caseWindows } from './case-windows'
import { inSmallWindow, judgedPolicies } from './judged-policies'
import { type LabMaterial, labMaterial } from './lab-material'
import type { Bench } from './report'

type NeedKind = (typeof NEED_KINDS)[number]

/** A draw of cases: what it is called, which chooses them, and of which kinds; `most` of a kind. */
const DRAWS: readonly { readonly name: string; readonly kinds: readonly NeedKind[]; readonly most: number }[] = [
  { name: 'first', kinds: NEED_KINDS, most: 44 },
]

/**
 * Draws needs under policies that took a source of them away, for a reader who judges them from the texts alone
 * (lib/docs/replay.md#judged-by-hand). Neither the verdict nor anything that comes of it is on the sheet.
 */
export const labCasesBench: Bench = {
  name: 'lab-cases',
  title: 'Needs under policies, to be judged by hand',
  async run({ log }) {
    if (CORPUS === null) {
      log('no corpus of real sessions here: there is nothing to judge')
      return []
    }
    const candidates = (await labMaterial(CORPUS)).filter(({ isReal }) => isReal).flatMap(candidatesOf)
    const drawn = new Set<string>()
    for (const { name, kinds, most } of DRAWS) {
      const cases = kinds.flatMap((kind) => draw(candidates, { name, kind, most }, drawn))
      const shuffled = cases.toSorted(byHash(`${name} order`))
      for (const [i, one] of shuffled.entries()) log(`\n#${name}-${i + 1} ${textOf(one)}`)
    }
    return []
  },
}

/** A need under a policy. */
type Candidate = {
  readonly material: LabMaterial
  readonly session: ReplaySession
  readonly policy: ReturnType<typeof judgedPolicies>[number]
  readonly need: number
  readonly verdict: CaseVerdict
  /** What is judged once, whatever the policy and the call. */
  readonly what: string
  readonly id: string
}

function candidatesOf(material: LabMaterial): Candidate[] {
  const session = inSmallWindow(material.replay)
  const { needs, spans, calls } = session
  return judgedPolicies().flatMap((policy) =>
    [...caseVerdicts(session, policy)].map(([need, verdict]) => {
      const kind = NEED_KINDS[needs.kind[need] as number] ?? ''
      const text = spans.texts[needs.span[need] as number] ?? ''
      const what = `${session.transcriptId} ${kind} ${text}`
      const id = `${what} ${calls.entry[needs.at[need] as number]} ${policy.id}`
      return { material, session, policy, need, verdict, what, id }
    }),
  )
}

/** As many of a kind that were lost as that were not, where there are so many, spread over policies by chance. */
function draw(
  all: readonly Candidate[],
  { name, kind, most }: { readonly name: string; readonly kind: NeedKind; readonly most: number },
  drawn: Set<string>,
): Candidate[] {
  const own = all
    .filter(({ session, need }) => NEED_KINDS[session.needs.kind[need] as number] === kind)
    .toSorted(byHash(name))
  const chosen: Candidate[] = []
  const take = (count: number, is: (one: Candidate) => boolean) => {
    for (const one of own) {
      if (chosen.length >= count) return
      if (drawn.has(one.what) || !is(one)) continue
      drawn.add(one.what)
      chosen.push(one)
    }
  }
  take(most / 2, ({ verdict }) => verdict === 'lost')
  take((3 * most) / 4, ({ verdict }) => verdict === 'pointer')
  take(most, ({ verdict }) => verdict === 'met')
  take(most, () => true)
  return chosen
}

function byHash(seed: string): (a: Candidate, b: Candidate) => number {
  const hashes = new Map<Candidate, string>()
  const of = (one: Candidate) => {
    const known = hashes.get(one) ?? createHash('sha256').update(`${seed} ${one.id}`).digest('hex')
    hashes.set(one, known)
    return known
  }
  return (a, b) => (of(a) < of(b) ? -1 : 1)
}

function textOf({ material, session, policy, need }: Candidate): string {
  const call = session.needs.at[need] as number
  const window = caseWindows(session, policy, new Set([call])).get(call)
  if (window === undefined) throw new Error(`call ${call} of ${session.transcriptId} was not replayed`)
  return caseText({ material, session, need, window, policy: policy.id })
}
