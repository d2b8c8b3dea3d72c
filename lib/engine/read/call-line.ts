import { actsByItself } from '../../core/budget/runtime-lines'
import { type SessionLoads, windowFacts } from '../../core/budget/session-loads'
import type { Window } from '../../core/budget/window'
import type { Frame } from '../../core/tokens/frame'
import type { Milliseconds, Tokens } from '../../core/units/units'
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
  // Calls of one month are under the same rules (`SessionLoads`), and nearly always with the same model.
  let latest: { readonly of: LinedCall; readonly month: Month | null; readonly line: Tokens | null } | null =
    null
  return (call) => {
    const { provider, model, at } = call
    if (latest !== null && isIn(latest.month, at) && isAlike(latest.of, call)) return latest.line
    const isAssigned = assigned !== null && assigned.model === model
    const window: Window = isAssigned ? { tokens: assigned.window, source: 'catalogue' } : call.window
    if (isAssumed(window, session.store.kind === 'codex')) return null
    const then = { provider, model, ...windowFacts(window) }
    const load = loads.of({ ...subject, ...then, updatedAt: at ?? subject.updatedAt })
    const line = load?.lines.find(actsByItself)?.tokens ?? null
    latest = { of: call, month: at === null ? null : monthOf(at), line }
    return line
  }
}

/**
 * Nothing says which window the runtime reckons with. Codex has its own windows, which its transcripts state; the list of
 * models says nothing of them.
 */
function isAssumed(window: Window, isCodex: boolean): boolean {
  const { source } = window.believed ?? window
  return source === 'default' || (isCodex && source === 'model')
}

/** From its first moment until before that of the next one. */
type Month = { readonly from: Milliseconds; readonly until: Milliseconds }

function monthOf(at: Milliseconds): Month {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month), until: Date.UTC(year, month + 1) }
}

function isIn(month: Month | null, at: Milliseconds | null): boolean {
  if (month === null || at === null) return month === null && at === null
  return at >= month.from && at < month.until
}

function isAlike(one: LinedCall, other: LinedCall): boolean {
  return (
    one.model === other.model &&
    one.provider === other.provider &&
    one.window.tokens === other.window.tokens &&
    one.window.source === other.window.source &&
    one.window.believed?.tokens === other.window.believed?.tokens &&
    one.window.believed?.source === other.window.believed?.source
  )
}
