import { beginOutside, endOutside } from '../write/outside-receipt'
import type { Receipt, WriteRefusal } from '../write/receipt'
import { describeOwner } from '../write/refusal'
import { waitForLock } from '../write/wait-for-lock'
import type { WaitOptions } from '../write/write-requests'
import type { CleanPorts } from './clean-database'
import { type DatabaseCensus, lookAtDatabase } from './database-census'
import type { DatabasePlace } from './openclaw-commands'

export type HeaderRequest = {
  readonly place: DatabasePlace
  readonly sessionId: string
  /** For the receipt: session key or id. */
  readonly session: string
  readonly actor: string
  /** Whether the transcript, as it is now, has a header. */
  readonly hasHeader: () => Promise<boolean>
  /** A running turn is waited for. */
  readonly wait: WaitOptions
  readonly signal?: AbortSignal
  readonly onReceipt?: (id: string) => Promise<void>
}

export type HeaderResult =
  | {
      readonly kind: 'done'
      readonly receipt: Receipt
      readonly notes: readonly string[]
      readonly others: number
    }
  /** The database is as it was. */
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }
  /** OpenClaw was asked to, and the database does not bear it out. */
  | { readonly kind: 'unverified'; readonly message: string; readonly receipt: Receipt }

/**
 * Has OpenClaw's doctor write the header that a transcript in its database lacks, and looks at every row afterwards: no
 * transcript is another one, but for headers before those that lacked one.
 */
export async function headerByDoctor(ports: CleanPorts, request: HeaderRequest): Promise<HeaderResult> {
  const { place, sessionId, session, actor, signal } = request
  const { root, database, agent } = place
  const refuse = (code: WriteRefusal['code'], message: string): HeaderResult => ({
    kind: 'refused',
    refusal: { code, message },
  })
  const owner = await waitForLock(ports.live, { file: database, root, kind: 'openclaw' }, request.wait)
  if (owner !== null) {
    const message = `${database} is in use by ${describeOwner(owner)}. OpenClaw's doctor needs the database to itself: stop it, and try again.`
    return refuse('live', message)
  }
  const before = await lookAtDatabase(ports.census, database, null)
  if (typeof before === 'string') return refuse('failed', before)
  const intent = {
    kind: 'repair',
    actor,
    reason: `The header that ${session} lacks, by OpenClaw's doctor, with all of its other safe repairs.`,
    session,
    summary: { agent, command: 'openclaw doctor --fix --non-interactive' },
  } as const
  const receipt = await beginOutside(ports, intent, root)
  await request.onReceipt?.(receipt.id)
  const reply = await ports.commands.doctor({ place, signal })
  const after = await lookAtDatabase(ports.census, database, before)
  const effect = typeof after === 'string' ? null : effectOf(before, after)
  const said = reply.kind === 'failed' ? reply.message : reply.kind === 'stopped' ? 'Stopped.' : null
  const summary = { ...intent.summary, headers: effect?.headers.length ?? null }
  const end = (how: Pick<Receipt, 'state' | 'verified' | 'problem'>) =>
    endOutside(ports, receipt, { ...how, summary }, [database])
  const untouched = effect !== null && effect.headers.length + effect.problems.length === 0
  if (untouched) {
    const why = said ?? "OpenClaw's doctor ended well, and wrote no header."
    const message = `${why} The database is as it was; what else the doctor changed (configuration, registries) is its own to tell.`
    await end({ state: 'failed', verified: false, problem: message })
    return refuse(reply.kind === 'stopped' ? 'stopped' : 'failed', message)
  }
  const problems = [
    ...(said === null ? [] : [said]),
    ...(typeof after === 'string' ? [after] : []),
    ...(effect?.problems ?? []),
    ...((await request.hasHeader()) ? [] : [`${session} has no header still.`]),
  ]
  if (effect === null || problems.length > 0) {
    const message = `OpenClaw's doctor did not do what was wanted: ${problems.join(' ')}`
    return {
      kind: 'unverified',
      message,
      receipt: (await end({ state: 'done', verified: false, problem: message })).receipt,
    }
  }
  const ended = await end({ state: 'done', verified: true, problem: null })
  return { kind: 'done', ...ended, others: effect.headers.filter((id) => id !== sessionId).length }
}

function effectOf(
  before: DatabaseCensus,
  after: DatabaseCensus,
): { readonly headers: readonly string[]; readonly problems: readonly string[] } {
  const headers: string[] = []
  const problems: string[] = []
  for (const [id, counted] of before.transcripts) {
    const now = after.transcripts.get(id)
    if (now === undefined) problems.push(`The transcript of ${id} is gone.`)
    else if (now.rows === counted.rows + 1 && now.restHash === counted.hash) headers.push(id)
    else if (now.hash !== counted.hash) problems.push(`${id} is another transcript than before.`)
  }
  for (const [key, { sessionId }] of before.keys) {
    const now = after.keys.get(key)
    if (now === undefined) problems.push(`${key} has left the index.`)
    else if (now.sessionId !== sessionId) problems.push(`${key} now names another session.`)
  }
  return { headers, problems }
}
