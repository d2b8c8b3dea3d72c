/** Something about the reading of stores that everybody who looks at a page should know. */
export type ReadingNotice = { readonly tone: 'danger' | 'attention' | 'neutral'; readonly text: string }

/** What `ReadingState` comes to, in words; empty when this dashboard reads its stores. */
export function readingNotices(state: {
  readonly reader: 'own' | 'other' | 'nobody'
  readonly holder: { readonly pid: number; readonly host: string; readonly since: number } | null
  readonly disk: string | null
}): readonly ReadingNotice[] {
  const notices: ReadingNotice[] = []
  if (state.disk !== null) notices.push({ tone: 'danger', text: state.disk })
  if (state.reader === 'nobody') notices.push({ tone: 'attention', text: NOBODY })
  if (state.reader === 'other' && state.holder !== null)
    notices.push({ tone: 'neutral', text: other(state.holder) })
  return notices
}

const NOBODY =
  'The stores are not being read now, so what agents write does not show here. The reader starts again by itself; if this stays, the terminal of “plimsoll serve” says why.'

function other({ pid, host, since }: { pid: number; host: string; since: number }): string {
  const at = new Date(since).toISOString().slice(0, 16).replace('T', ' ')
  return `Another Plimsoll reads the stores into this database: process ${pid} on ${host}, since ${at} UTC. What it reads shows here as well, from its stores and not from those that this one was told; when it ends, this one takes over. For a dashboard of its own, start this one with another PLIMSOLL_HOME.`
}
