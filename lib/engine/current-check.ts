import type { ContentMessage } from '../core/history/thinking'
import type { ContextCheck } from './check-context'
import type { LadderParts } from './ladder-parts'
import { rolledView } from './rolling-summary'

/** How full the context of a live agent is now: what is sent of its conversation, and what is about to come in. */
export async function currentCheck<M extends ContentMessage>(
  { agent, gauge, state, form }: LadderParts<M>,
  incoming: readonly M[],
): Promise<ContextCheck> {
  const messages = await agent.getContext()
  const { summary, rest } = rolledView(messages, (await state.get()).rolling, form)
  return gauge.check(messages, summary === null ? rest : [summary, ...rest], incoming)
}
