import type { EffectVerdict } from '../../core/findings/effect/judge-effect'
import type { EffectMeasure } from '../../core/findings/effect/measures'
import type { EffectItem } from './applied-remedies'
import { effectSentence } from './effect-words'

/** What came of an applied setting, as it was measured. */
type MeasuredEffect = {
  readonly watched: { readonly receipt: string } & Parameters<typeof effectSentence>[0]['watched']
  readonly measure: Pick<EffectMeasure, 'name' | 'words'> | null
  readonly verdict: EffectVerdict | null
  readonly takeBack: readonly string[] | null
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
}

/** Files that could not be read are named, up to so many. */
const MOST_PROBLEMS = 5

export function effectItem({ watched, measure, verdict, takeBack, problems }: MeasuredEffect): EffectItem {
  const named = problems.slice(0, MOST_PROBLEMS).map(({ file, problem }) => `${file}: ${problem}`)
  const more = problems.length - named.length
  return {
    receipt: watched.receipt,
    verdict: measure === null || verdict === null ? 'not-measured' : verdict.kind,
    sentence: effectSentence({ measure, verdict, watched }),
    takeBack: takeBack !== null,
    problems: more > 0 ? [...named, `and ${more} more that could not be read`] : named,
  }
}
