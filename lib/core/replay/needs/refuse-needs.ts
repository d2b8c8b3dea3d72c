import { NEED_KINDS, type ReplaySession } from '../replay-session'
import { spanKey } from '../spans/span-key'
import { chooseNeeds } from './choose-needs'

/** The call of an entry wrote a text that is no need. */
type Refused = { readonly entry: number; readonly text: string }

/**
 * A session without the needs that the operator said are none: they count among those that were left out. The session
 * itself stays as it is. What was refused before keys of spans were what they are now still counts: `foo()` was refused,
 * `foo` is none.
 */
export function refuseNeeds(session: ReplaySession, refused: readonly Refused[]): ReplaySession {
  if (refused.length === 0) return session
  const { needs, calls, spans, excluded } = session
  const byEntry = new Map<number, string[]>()
  for (const { entry, text } of refused) byEntry.set(entry, [...(byEntry.get(entry) ?? []), text])
  const isNone = (need: number) => {
    const kind = needs.kind[need] as number
    const text = keyOf(kind, spans.texts[needs.span[need] as number] ?? '')
    const texts = byEntry.get(calls.entry[needs.at[need] as number] ?? -1) ?? []
    return texts.some((one) => keyOf(kind, one) === text)
  }
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

/** A text as needs of a kind have it now. Paths within the folder that is worked in never had that folder before them. */
function keyOf(number: number, text: string): string {
  const kind = NEED_KINDS[number]
  return kind === undefined || kind === 'copy' || kind === 'rule' ? text : spanKey({ kind, text }, null)
}
