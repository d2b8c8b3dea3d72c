import { actsByItself } from '../../core/budget/runtime-lines'
import type { SessionLoads } from '../../core/budget/session-loads'
import { NO_PROOF, type WindowHints, windowFor } from '../../core/budget/window'
import type { Frame } from '../../core/tokens/frame'
import type { Tokens } from '../../core/units/units'
import { frameSetupOf } from './frame-setup'
import { loadSubjectOf } from './session-subject'

/** A call, as far as it decides about the line that it is held against. */
export type LinedCall = Pick<Frame, 'provider' | 'model' | 'window' | 'at'>

export type AssignedWindow = { readonly model: string; readonly window: Tokens }

/**
 * The line that acts first for each call of a session, in tokens: a session may change its model. Null: nothing acts,
 * or the window is only assumed.
 * @param assigned a window that will be set in the runtime for a model, in the place of what its store says now
 */
export function callLines(
  loads: SessionLoads,
  session: Parameters<typeof loadSubjectOf>[0],
  assigned: AssignedWindow | null = null,
): (call: LinedCall) => Tokens | null {
  const subject = loadSubjectOf(session)
  const { hints } = frameSetupOf(session.store, session.transcript)
  // Calls of one day are under the same rules, and nearly always with the same model.
  let latest: { readonly of: LinedCall; readonly day: number | null; readonly line: Tokens | null } | null =
    null
  return (call) => {
    const { provider, model, at } = call
    const day = at === null ? null : Math.floor(at / DAY_MS)
    if (latest !== null && latest.day === day && isAlike(latest.of, call)) return latest.line
    const isAssigned = assigned !== null && assigned.model === model
    const window = isAssigned
      ? ({ tokens: assigned.window, source: 'catalogue' } as const)
      : reckonedWindow(call, hints, session.store.kind === 'codex')
    if (window.source === 'default') return null
    const then = { provider, model, window: window.tokens, windowSource: window.source }
    const load = loads.of({ ...subject, ...then, updatedAt: at ?? subject.updatedAt })
    const line = load?.lines.find(actsByItself)?.tokens ?? null
    latest = { of: call, day, line }
    return line
  }
}

/**
 * A runtime compacts by the window that it believes in: what its provider takes or cuts to moves no line. Codex has
 * its own windows, which its transcripts state; the list of models says nothing of them.
 */
function reckonedWindow(
  { provider, model, window }: LinedCall,
  hints: WindowHints,
  isCodex: boolean,
): Pick<LinedCall['window'], 'tokens' | 'source'> {
  const isProved = window.source === 'cut' || window.source === 'observed'
  const believed = isProved ? windowFor(hints, model, NO_PROOF, provider) : window
  if (isCodex && believed.source === 'model') return { ...believed, source: 'default' }
  return isProved && believed.source === 'default' ? window : believed
}

const DAY_MS = 86_400_000

function isAlike(one: LinedCall, other: LinedCall): boolean {
  return (
    one.model === other.model &&
    one.provider === other.provider &&
    one.window.tokens === other.window.tokens &&
    one.window.source === other.window.source
  )
}
