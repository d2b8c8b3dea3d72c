import { chooseNeeds } from './choose-needs'
import type { ReplaySession } from './replay-session'

/** The call of an entry wrote a text that is no need. */
type Refused = { readonly entry: number; readonly text: string }

/**
 * A session without the needs that the operator said are none: they count among those that were left out. The session
 * itself stays as it is.
 */
export function refuseNeeds(session: ReplaySession, refused: readonly Refused[]): ReplaySession {
  if (refused.length === 0) return session
  const { needs, calls, spans, excluded } = session
  const none = new Set(refused.map(({ entry, text }) => `${entry} ${text}`))
  const isNone = (need: number) =>
    none.has(
      `${calls.entry[needs.at[need] as number] ?? -1} ${spans.texts[needs.span[need] as number] ?? ''}`,
    )
  const kept: number[] = []
  let weight = 0
  for (let need = 0; need < needs.count; need++) {
    if (isNone(need)) weight += needs.weight[need] as number
    else kept.push(need)
  }
  if (kept.length === needs.count) return session
  return {
    ...session,
    excluded: { ...excluded, refused: excluded.refused + weight },
    needs: chooseNeeds(needs, kept, (need) => needs.weight[need] as number),
  }
}
