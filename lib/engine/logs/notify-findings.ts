import type { Notified } from './check-health'

/** Findings of a session that the operator gets a notice of, once each. */
export type FindingsNotice = {
  /** Ids of those that are there now. */
  readonly ids: readonly string[]
  /** What the session's last line in the log says of them (`findingsNotified`). */
  readonly last: readonly string[]
  /** Tells the operator of all that are there, by each way that does not know them already. */
  readonly notify: (alreadyNotified: ReadonlySet<string>) => Promise<Notified>
}

export type NotifiedFindings = {
  /** A notice was sent now. */
  readonly notified: boolean
  /** For the log: each way with each finding that it was used for, as long as that is there (`webhook kind.id`). */
  readonly findingsNotified: readonly string[]
  readonly problems: readonly string[]
}

/**
 * Sends a notice where a finding is new to a channel. One that failed is tried again next time; a finding that
 * went and came back is sent again.
 */
export async function notifyFindings({ ids, last, notify }: FindingsNotice): Promise<NotifiedFindings> {
  const there = new Set(ids)
  const known = last.map(readTold).filter(({ id }) => there.has(id))
  const knowsAll = (way: string) => ids.every((id) => known.some((one) => one.way === way && one.id === id))
  const already = new Set(known.map(({ way }) => way).filter(knowsAll))
  const { by, problems } = ids.length === 0 ? { by: [], problems: [] } : await notify(already)
  const reported = [...known, ...by.flatMap((way) => ids.map((id) => ({ way, id })))]
  return {
    notified: by.length > 0,
    findingsNotified: [...new Set(reported.map(({ way, id }) => `${way} ${id}`))],
    problems,
  }
}

function readTold(text: string): { readonly way: string; readonly id: string } {
  const at = text.indexOf(' ')
  return { way: text.slice(0, Math.max(0, at)), id: text.slice(at + 1) }
}
