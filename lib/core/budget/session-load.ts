import type { Origin, ResolvedPolicy } from '../policy/resolve'
import { type PolicyWindow, policyReserve, policyWindow } from './guard'
import { type LineKind, loadLines } from './load-lines'
import type { WindowSource } from './window'

/** A window as it was read of a session, in tokens, and where it was read. */
export type ReadWindow = { readonly tokens: number; readonly source: WindowSource }

/** What the fill of a session is measured against under the policy in force for it. Tokens. */
export type SessionLoad = {
  readonly window: number
  readonly windowSource: PolicyWindow['source']
  readonly reserve: number
  /** Lines that something acts on, lowest first; those out of reach and those that only save notes are left out. */
  readonly lines: readonly { readonly kind: LineKind; readonly name: string; readonly tokens: number }[]
  /** What names the line that acts first: a file, an override, a preset; null for the default policy. */
  readonly from: string | null
  /** The same for the reserve. */
  readonly reserveFrom: string | null
}

/** Lines that a runtime acts on by itself. */
const ACTING: readonly LineKind[] = ['compact', 'hard']
const SHOWN: readonly LineKind[] = ['curate', 'compact', 'slide', 'hard']

/**
 * The window a policy works with in a session whose window was read: the policy's own figure for the model, else what
 * was read, else its default; never more than its cap.
 */
export function windowInForce(
  policy: ResolvedPolicy['policy'],
  model: string | null,
  read: ReadWindow | null,
): PolicyWindow {
  const catalogue = read === null || model === null ? undefined : { [model]: read.tokens }
  const named = policyWindow(policy, { index: null, ...(catalogue ? { catalogue } : {}) }, model)
  if (named.source === 'policy' || named.source === 'cap' || read === null) return named
  return { ...read, uncapped: read.tokens }
}

/** @returns null when the window of the session is not known: a default is no basis for a share */
export function sessionLoad(
  { policy, origin }: ResolvedPolicy,
  model: string | null,
  read: ReadWindow | null,
): SessionLoad | null {
  if (read === null || read.tokens <= 0) return null
  const window = windowInForce(policy, model, read)
  const lines = loadLines(policy, window.tokens)
    .filter((line) => !line.unreachable && SHOWN.includes(line.kind))
    .map(({ kind, name, tokens }) => ({ kind, name, tokens }))
  const first = lines.find((line) => ACTING.includes(line.kind))
  return {
    window: window.tokens,
    windowSource: window.source,
    reserve: policyReserve(policy, window.tokens),
    lines,
    from: first === undefined ? null : nameOf(origin[`lines.${first.kind}.at`]),
    reserveFrom: nameOf(origin['reserve.tokens']) ?? nameOf(origin['reserve.floor']),
  }
}

/** The line at which something happens first; where a policy has none, the effective budget. Tokens. */
export function firstLine({ window, reserve, lines }: SessionLoad): number {
  return lines.find((line) => ACTING.includes(line.kind))?.tokens ?? window - reserve
}

function nameOf(origin: Origin | undefined): string | null {
  return origin === undefined || origin.level === 'default' ? null : origin.label
}
