import type { ClientSetting } from '../policy/formats/client-setting'
import type { ResolvedPolicy } from '../policy/resolve'
import type { RuntimePolicy } from '../policy/runtime/runtime-policy'
import type { Tokens } from '../units/units'
import { type PolicyWindow, policyWindow } from './guard'
import { actsByItself, type RuntimeLineKind, runtimeLines, runtimeReserve } from './runtime-lines'
import type { BelievedWindow, WindowSource } from './window'

/**
 * A window as it was read of a session, in tokens, and where it was read; `believed` as of `Window`.
 */
export type ReadWindow = {
  readonly tokens: Tokens
  readonly source: WindowSource
  readonly believed?: BelievedWindow
}

/** What the fill of a session is measured against: what the runtime that owns it really does. Tokens. */
export type SessionLoad = {
  readonly window: Tokens
  readonly windowSource: PolicyWindow['source']
  /** The window that its lines are in, and who believes in it; null: in the same one. */
  readonly believed: {
    readonly tokens: Tokens
    readonly source: PolicyWindow['source']
    readonly by: string
  } | null
  /** Kept free of `window`. Of one that prompts are cut to that is what the runtime would not fill anyway. */
  readonly reserve: number
  /** Lines that something acts on, lowest first; those out of reach and those that only save notes are left out. */
  readonly lines: readonly {
    readonly kind: RuntimeLineKind
    readonly name: string
    readonly tokens: Tokens
  }[]
  /** What the runtime is called, with the file that names the line that acts first, if one does. */
  readonly from: string
  /** The same for the reserve. */
  readonly reserveFrom: string
  /** Settings of Claude Code or Codex that decide where it compacts; none for other runtimes. */
  readonly settings: readonly ClientSetting[]
  /** What is assumed of the runtime, and why; empty: nothing is. */
  readonly assumed: readonly string[]
}

const SHOWN: readonly RuntimeLineKind[] = ['curate', 'compact', 'slide', 'hard', 'provider']

/** Values that decide where a runtime compacts. */
const LINE_PATHS = [
  'reserve.tokens',
  'reserve.floor',
  'flush.softThresholdTokens',
  'lines.compact.at',
  'lines.hard.at',
  'window.cap',
]

/**
 * The window a policy works with in a session whose window was read: the policy's own figure for the model, else what
 * was read, else its default; never more than its cap.
 */
export function windowInForce(
  policy: ResolvedPolicy['policy'],
  model: string | null,
  read: ReadWindow | null,
): PolicyWindow {
  // What a provider does counts more than the settings of its runtime.
  if (read?.source === 'cut') return { ...read, uncapped: read.tokens }
  const index = read === null ? null : { tokens: read.tokens, model: null }
  const named = policyWindow(policy, { index }, model)
  if (named.source === 'policy' || named.source === 'cap' || read === null) return named
  return { ...read, uncapped: read.tokens }
}

/**
 * The window in which the lines of a runtime are: the one that it believes in. What its provider takes or cuts prompts to
 * moves no line.
 */
export function reckonedWindow(
  policy: ResolvedPolicy['policy'],
  model: string | null,
  read: ReadWindow | null,
): PolicyWindow {
  return windowInForce(policy, model, read?.believed ?? read)
}

/** Tokens that a runtime keeps free of the window in force, where its lines are in another one. */
export function reserveInForce(runtime: RuntimePolicy, window: PolicyWindow, reckoned: PolicyWindow): number {
  const reserve = runtimeReserve(runtime, reckoned.tokens)
  return window.source === 'cut' ? Math.max(0, window.tokens - (reckoned.tokens - reserve)) : reserve
}

/** @returns null when the window of the session is not known: a default is no basis for a share */
export function sessionLoad(
  runtime: RuntimePolicy,
  model: string | null,
  read: ReadWindow | null,
): SessionLoad | null {
  if (read === null || read.tokens <= 0) return null
  const window = windowInForce(runtime.policy, model, read)
  const reckoned = reckonedWindow(runtime.policy, model, read)
  const lines = runtimeLines(runtime, reckoned.tokens)
    .filter((line) => !line.unreachable && SHOWN.includes(line.kind))
    .map(({ kind, name, tokens }) => ({ kind, name, tokens }))
  return {
    window: window.tokens,
    windowSource: window.source,
    believed:
      reckoned.tokens === window.tokens
        ? null
        : { tokens: reckoned.tokens, source: reckoned.source, by: runtime.runtime.name },
    reserve: reserveInForce(runtime, window, reckoned),
    lines,
    from: named(runtime, LINE_PATHS),
    reserveFrom: named(runtime, ['reserve.tokens', 'reserve.floor']),
    settings: runtime.runtime.client?.settings ?? [],
    assumed: runtime.runtime.assumed,
  }
}

/** The line at which something happens first; where there is none, the effective budget. Tokens. */
export function firstLine({ window, reserve, lines }: SessionLoad): number {
  return lines.find(actsByItself)?.tokens ?? window - reserve
}

/** The runtime, and the strongest file that names one of these values. */
function named({ runtime, origin }: RuntimePolicy, paths: readonly string[]): string {
  const files = paths.flatMap((path) => {
    const from = origin[path]
    return from === undefined || from.level === 'default' || from.label === runtime.name ? [] : [from.label]
  })
  const last = files.at(-1)
  return last === undefined || last.startsWith('preset ') ? runtime.name : `${runtime.name}, ${last}`
}
