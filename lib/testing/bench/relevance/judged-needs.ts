import { z } from 'zod'
import judgedNeeds from '../../fixtures/judged-needs.json'
import type { LabMaterial } from '../lab/lab-material'
import type { Measurement } from '../report'
import { caseSubject, casesOf } from './case-draws'
import type { CaseVerdict } from './case-windows'

const VERDICTS = ['none', 'met', 'pointer', 'lost'] as const

/** A case as it was judged: where it is, the beginning of its text, what the reader said, and the product at that time. */
const CASE = z
  .tuple([
    ...[z.string(), z.string(), z.string(), z.string()],
    ...[z.number(), z.string(), z.string(), z.enum(VERDICTS), z.enum(VERDICTS)],
  ] as const)
  .transform(([draw, session, policy, kind, entry, subject, excerpt, hand, product]) => ({
    ...{ draw, session, policy, kind, entry, subject, excerpt, hand, product },
  }))

type JudgedCase = z.output<typeof CASE>

const CASES: readonly JudgedCase[] = z.object({ cases: z.array(CASE) }).parse(judgedNeeds).cases

/** Of fewer cases a share says little. */
const LEAST_CASES = 8

/** What was judged before, by `caseSubject`: it is not drawn again. */
export function judgedSubjects(): ReadonlySet<string> {
  return new Set(CASES.map(({ subject }) => subject))
}

/**
 * How often reader and product do not agree on what is lost, by kind: in the last draw of the kind, which the scanner had
 * never been mended by, as it was then. The note has the draws before it, and all that the corpus has as it is now.
 */
export function readerAgreement(material: readonly LabMaterial[]): Measurement[] {
  const now = verdictsNow(material)
  return [...new Set(CASES.map(({ kind }) => kind))].flatMap((kind): Measurement[] => {
    const own = CASES.filter((one) => one.kind === kind)
    const draws = [...new Set(own.map(({ draw }) => draw))].map((draw) =>
      own.filter((one) => one.draw === draw),
    )
    const last = draws.findLast(({ length }) => length >= LEAST_CASES)
    if (last === undefined) return []
    const then = (cases: readonly JudgedCase[]) => agreed(cases, ({ product }) => product)
    const known = own.filter(({ session }) => material.some(({ replay }) => replay.sessionId === session))
    return [
      {
        what: `LOST of ${kind} that a reader does not agree with`,
        value: 100 * (1 - then(last) / last.length),
        unit: '%',
        limit: 15,
        note:
          `draws: ${draws.map((cases) => `${then(cases)} of ${cases.length}`).join(', ')}; ` +
          `now ${agreed(known, (one) => now.get(placeOf(one)) ?? 'none')} of ${known.length}`,
      },
    ]
  })
}

function agreed(
  cases: readonly JudgedCase[],
  verdictOf: (one: JudgedCase) => (typeof VERDICTS)[number],
): number {
  return cases.filter((one) => (one.hand === 'lost') === (verdictOf(one) === 'lost')).length
}

function placeOf({ subject, entry, policy }: Pick<JudgedCase, 'subject' | 'entry' | 'policy'>): string {
  return `${subject} ${entry} ${policy}`
}

function verdictsNow(material: readonly LabMaterial[]): Map<string, CaseVerdict> {
  const verdicts = new Map<string, CaseVerdict>()
  for (const one of material.filter(({ isReal }) => isReal))
    for (const { kind, text, entry, policy, verdict } of casesOf(one))
      verdicts.set(
        placeOf({ subject: caseSubject(one.replay.sessionId, kind, text), entry, policy: policy.id }),
        verdict,
      )
  return verdicts
}
