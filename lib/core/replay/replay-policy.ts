import type { ReplayWalk } from './walk/replay-walk'

/** What a policy goes by. */
export const POLICY_FAMILIES = {
  everything: 'Keeps everything',
  recorded: 'As it was recorded',
  runtime: 'What a runtime does',
  preset: 'A preset',
  keep: 'Keeps the newest part',
  mask: 'Takes out old tool results',
  compact: 'Summarises the older part',
  use: 'Goes by what was used',
  random: 'Goes by chance',
  oracle: 'Knows the future',
  draft: 'A draft',
} as const

export type PolicyFamily = keyof typeof POLICY_FAMILIES

/** A policy that sessions can be replayed under. */
export type ReplayPolicy = {
  readonly id: string
  readonly label: string
  /** What it does, with its constants, in one or two sentences. */
  readonly about: string
  /** Where the constants come from. */
  readonly source: string
  readonly family: PolicyFamily
  /**
   * Begins a replay. What it returns is called before each call, once that call's chunks have come in, and changes the
   * walk through its operations.
   */
  readonly start: (walk: ReplayWalk) => PolicyStep
}

/** @param call number of the call that is about to be made */
export type PolicyStep = (call: number) => void
