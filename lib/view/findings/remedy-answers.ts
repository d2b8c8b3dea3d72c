import type { PickName } from '../../core/replay/tune/tune-state'
import type { Milliseconds } from '../../core/units/units'
import type { RefusedAnswer } from '../actions/action-answer'

/** A line that can be pinned, and what the file would be with it. */
type PinOffer = {
  readonly line: string
  readonly said: { readonly line: number; readonly at: Milliseconds | null; readonly href: string }
  /** Lines of a patch. */
  readonly diff: readonly string[]
  readonly seen: string
}

/** What can be done about a finding, as the page shows it before anything is written. */
export type RemedyOffer =
  | {
      readonly kind: 'setting'
      readonly tuning: TunedChoice | null
      /** What a tuner measured of the values, in sentences; empty: they are not its. */
      readonly measured: readonly string[]
      readonly file: string
      /** `key: from → to`, one for each value. */
      readonly changes: readonly string[]
      /** Lines of a patch. */
      readonly diff: readonly string[]
      readonly why: string
      readonly assumed: readonly string[]
      /** What it would do to the newest sessions, in sentences. */
      readonly tried: readonly string[]
      /** Of the file that is shown, and of its text with the change: what is applied must still be that. */
      readonly seen: string
    }
  | {
      readonly kind: 'command'
      readonly words: string
      readonly command: string
      readonly others: readonly string[]
      readonly tuning: TunedChoice | null
    }
  /** Rules of the user, each as the line that would be written into a file of instructions. */
  | {
      readonly kind: 'pin'
      readonly file: string
      readonly rules: readonly PinOffer[]
      /** Why others are not offered, who reads the file, and who said the rules: sentences. */
      readonly left: readonly string[]
      readonly reach: string
      readonly source: string
    }
  | { readonly kind: 'none'; readonly why: readonly string[]; readonly tuning: TunedChoice | null }
  | RefusedAnswer

/** A tuning over the sessions of a finding: which of its picks can be tried, and in a sentence what it found. */
export type TunedChoice = { readonly words: string; readonly picks: readonly PickName[] }

/** What a change would have meant for recorded sessions, in sentences. */
export type ForeseenAnswer = { readonly kind: 'foreseen'; readonly lines: readonly string[] } | RefusedAnswer

/** It is written only when it is asked for once more: by replay it costs more, or what it costs is not known. */
export type ConfirmAnswer = { readonly kind: 'confirm'; readonly title: string; readonly words: string }

/** What became of the wish to apply a setting. */
export type AppliedAnswer =
  | {
      readonly kind: 'applied'
      readonly receipt: string
      readonly notes: readonly string[]
      readonly watch: string
    }
  | { readonly kind: 'unchanged' }
  | ConfirmAnswer
  | RefusedAnswer
