import type { ContentMessage } from '../core/history/thinking'
import { checkFlush, flushPrompt } from '../core/memory/flush'
import type { ContextCheck } from './check-context'
import type { LadderParts } from './ladder-parts'
import type { FlushPrompt } from './live-agent'

/**
 * The request to save what matters, when a flush line is reached with what is about to come in (F1–F4, F6); null when
 * none is due.
 */
export async function dueFlush<M extends ContentMessage>(
  { policy, window, state, agent, gauge }: LadderParts<M>,
  check: ContextCheck,
  incoming: readonly M[],
): Promise<FlushPrompt | null> {
  const before = await state.get()
  const { due, state: flush } = checkFlush(policy, check.decided / window, before.flush)
  if (flush !== before.flush) await state.update((known) => ({ ...known, flush }))
  if (due === null) return null
  return {
    at: due,
    delivery: deliveryOf(policy.flush.delivery, policy.lines.flush.at, due),
    text: flushPrompt({
      day: new Date(agent.clock.now()).toISOString().slice(0, 10),
      tokens: (check.tokens.value ?? 0) + gauge.sum(incoming),
      window,
      alone: agent.onFlush !== undefined,
    }),
  }
}

/** Lines and deliveries go by their order; the last delivery serves the lines beyond (F2). */
function deliveryOf(
  deliveries: readonly FlushPrompt['delivery'][],
  lines: readonly number[],
  due: number,
): FlushPrompt['delivery'] {
  const place = lines.toSorted((a, b) => a - b).indexOf(due)
  return deliveries[Math.min(place, deliveries.length - 1)] ?? 'system'
}
