import type { Interval, ReplaySum } from '../../core/replay/replay-result'
import type { PickName } from '../../core/replay/tune/tune-state'
import type { Milliseconds } from '../../core/units/units'
import { intervalText } from '../lab/result-words'
import { formatQuantity } from '../text/format'
import { shownText } from '../text/shown-text'
import type { TunedChoice } from './remedy-answers'

/** A pick of a tuning and its values as settings, as far as a reader is shown them. */
type TunedFacts = {
  readonly name: string
  readonly endedAt: Milliseconds
  readonly pick: {
    readonly pick: string
    readonly gain: Interval | null
    readonly sum: Pick<ReplaySum, 'sessions' | 'recall' | 'longRecall' | 'lost'> | null
  }
  readonly sessions: number
  readonly grown: number
  readonly without: readonly string[]
}

/** What a tuner measured of the values, how old that is, and what the file cannot say. */
export function tunedLines({ name, endedAt, pick, sessions, grown, without }: TunedFacts): readonly string[] {
  const { sum, gain } = pick
  const over = sum === null ? '' : ` over ${formatQuantity(sum.sessions, 'session')} that it never saw`
  return [
    `Measured by the tuning “${shownText(name)}” of ${dayOf(endedAt)}, for the policy as the library carries it out${over}: it saves ${intervalText(gain)} of the cost more than what was in force; recall ${intervalText(sum?.recall ?? null)}, of needs older than ten calls ${intervalText(sum?.longRecall ?? null)}, lost ${intervalText(sum?.lost ?? null)}.`,
    ...(grown === 0
      ? []
      : [
          `The tuning is older than what came since: ${grown} of ${formatQuantity(sessions, 'session')} of this store have grown.`,
        ]),
    ...(without.length === 0
      ? []
      : [
          `The file has no key for ${formatQuantity(without.length, 'other value')} of the pick (${without.join(', ')}), so what it does is only what is replayed below, not what the tuning measured.`,
        ]),
  ]
}

type Fitting = {
  readonly name: string
  readonly endedAt: Milliseconds
  readonly picks: readonly {
    readonly pick: PickName
    readonly verdict: string
    readonly gain: Interval | null
  }[]
}

/** That a tuning fits a finding, and which of its picks are offered. */
export function tuningChoice({ name, endedAt, picks }: Fitting): TunedChoice {
  const gains = picks.filter(({ verdict }) => verdict === 'gain')
  const [first] = picks
  const found = `The tuning “${shownText(name)}” of ${dayOf(endedAt)} was over these sessions`
  return {
    picks: gains.map(({ pick }) => pick),
    words:
      gains.length === 0
        ? `${found} and offers nothing: ${first?.verdict ?? 'no pick was within the limit'}.`
        : `${found}. It saves, on others that it never saw: ${gains.map(({ pick, gain }) => `${pick} ${intervalText(gain)}`).join(', ')} of the cost.`,
  }
}

/** The same on the command line. */
export function tuningLine(fitting: Fitting): string {
  const { words, picks } = tuningChoice(fitting)
  return picks.length === 0 ? words : `${words} Tried with --pick ${picks.join(', ')}.`
}

function dayOf(at: Milliseconds): string {
  return new Date(at).toISOString().slice(0, 10)
}
