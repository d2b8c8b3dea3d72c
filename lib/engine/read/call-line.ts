import { actsByItself } from '../../core/budget/runtime-lines'
import type { LoadSubject, SessionLoads } from '../../core/budget/session-loads'
import type { Frame } from '../../core/tokens/frame'
import type { Tokens } from '../../core/units/units'

/** A call, as far as it decides about the line that it is held against. */
export type LinedCall = Pick<Frame, 'provider' | 'model' | 'window' | 'at'>

/**
 * The line that acts first for each call of a session, in tokens: a session may change its model. Null: nothing acts,
 * or the window is only assumed.
 */
export function callLines(loads: SessionLoads, subject: LoadSubject): (call: LinedCall) => Tokens | null {
  return ({ provider, model, window, at }) => {
    if (window.source === 'default') return null
    const then = { provider, model, window: window.tokens, windowSource: window.source }
    const load = loads.of({ ...subject, ...then, updatedAt: at ?? subject.updatedAt })
    return load?.lines.find(actsByItself)?.tokens ?? null
  }
}
