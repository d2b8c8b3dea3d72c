import type { ContentMessage } from '../core/history/thinking'
import type { ContextPass } from './context-pass'
import type { Curate } from './live-agent'

/** An agent's own way to curate, as a part of the ladder: above the first line, before a request. */
export function customPass<M extends ContentMessage>(curate: Curate<M>): ContextPass<M> {
  return {
    step: 'curate',
    failed: 'Nothing was curated',
    isDue: ({ moment, check, last }) =>
      moment === 'before' && !last && check.reached.some(({ kind }) => kind === 'curate'),
    run: async ({ messages, incoming, parts: { policy, window } }) => {
      const kept = await curate({ messages, incoming, policy, window })
      return { messages: kept.length === messages.length ? null : kept, drop: null, notes: [] }
    },
  }
}
