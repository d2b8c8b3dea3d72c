import type { Setup } from '../../compose/setup'
import { readMutes } from '../../config/mutes'
import { coverFinding } from '../../core/findings/cover-finding'
import type { SessionFinding } from '../../core/findings/finding'
import { muteOf } from '../../core/findings/mutes'
import type { Milliseconds } from '../../core/units/units'

/** Findings without those that are muted now, with credentials covered; and how many were muted. */
export function unmutedFindings(
  { environment }: Pick<Setup, 'environment'>,
  found: readonly SessionFinding[],
  now: Milliseconds,
): { readonly shown: readonly SessionFinding[]; readonly muted: number } {
  const mutes = readMutes(environment.home)
  const shown = found.filter((finding) => muteOf(finding, mutes, now) === null)
  return { shown: shown.map(coverFinding), muted: found.length - shown.length }
}
