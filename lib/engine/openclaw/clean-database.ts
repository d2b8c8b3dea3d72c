import {
  archivedInAll,
  type Cleanup,
  cleanupText,
  REMOVALS,
  removedInAll,
} from '../../core/maintenance/cleanup'
import { SourceProblem } from '../read/source-problem'
import { beginOutside, endOutside, type ReceiptPorts } from '../write/outside-receipt'
import type { Receipt, WriteRefusal } from '../write/receipt'
import { describeOwner } from '../write/refusal'
import { waitForLock } from '../write/wait-for-lock'
import type { Writer } from '../write/write-ports'
import type { WaitOptions } from '../write/write-requests'
import { type DatabaseCensus, type DatabaseCensusTaker, lookAtDatabase } from './database-census'
import type { CleanupRequest, OpenClawCommands } from './openclaw-commands'
import { type CleanupEffect, verifyCleanup } from './verify-cleanup'

export type PlannedCleanup =
  | { readonly kind: 'planned'; readonly cleanup: Cleanup }
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

export type PlanPorts = { readonly commands: OpenClawCommands; readonly census: DatabaseCensusTaker }

/** What OpenClaw says that its maintenance of one database would do; changes nothing. */
export async function planCleanup(
  { commands, census }: PlanPorts,
  request: CleanupRequest,
): Promise<PlannedCleanup> {
  const absent = await findAbsent(census, request)
  if (absent !== null) return { kind: 'refused', refusal: absent }
  const reply = await commands.previewCleanup(request)
  if (reply.kind === 'stopped') return refused('stopped', 'Stopped before anything was changed.')
  if (reply.kind === 'failed') return refused('failed', reply.message)
  const { answer } = reply
  const { database } = request.place
  if (answer.database !== database) {
    return refused(
      'outside',
      `OpenClaw's command looks at ${answer.database}, and not at ${database}. Set "gateway.command" to the OpenClaw that this store belongs to, or run it yourself.`,
    )
  }
  if (!answer.dryRun)
    return refused('unsafe', `OpenClaw was asked for a dry run of ${database}, and says that it was none.`)
  const removed = REMOVALS.reduce((sum, name) => sum + answer.removed[name], 0)
  if (answer.before - answer.after !== removed) {
    return refused(
      'unsafe',
      `OpenClaw's dry run of ${database} contradicts itself: of ${answer.before} sessions ${answer.after} would be left, and ${removed} would go.`,
    )
  }
  return { kind: 'planned', cleanup: answer }
}

/** OpenClaw takes any key for the session that must stay, and says nothing when there is none like it. */
async function findAbsent(
  census: DatabaseCensusTaker,
  { place: { database }, active }: CleanupRequest,
): Promise<WriteRefusal | null> {
  if (active === null) return null
  try {
    if ((await census.keys(database)).has(active)) return null
  } catch (error) {
    if (error instanceof SourceProblem) return { code: 'failed', message: error.message }
    throw error
  }
  const message = `No session in the index of ${database} has the key "${active}", so none would stay for its sake. Correct the key, or leave it out.`
  return { code: 'missing', message }
}

export type CleanPorts = ReceiptPorts & Pick<Writer, 'live'> & PlanPorts

export type CleanDatabaseRequest = CleanupRequest & {
  readonly actor: string
  /** The plan that was shown, as `cleanupText` names it; another one is not applied. null: whatever it is. */
  readonly expected: string | null
  /** A running turn is waited for. */
  readonly wait: WaitOptions
  /** Called with what is being done, in a sentence, and the receipt before anything can change. */
  readonly onStep?: (doing: string) => void
  readonly onReceipt?: (id: string) => Promise<void>
}

export type CleanedDatabase =
  | {
      readonly kind: 'done'
      readonly cleanup: Cleanup
      readonly effect: CleanupEffect
      readonly receipt: Receipt
      readonly notes: readonly string[]
    }
  | { readonly kind: 'nothing'; readonly cleanup: Cleanup }
  /** The database is as it was. */
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal; readonly cleanup: Cleanup | null }
  /** OpenClaw was asked to, and the database does not bear out what was announced. */
  | { readonly kind: 'unverified'; readonly message: string; readonly receipt: Receipt }

/**
 * Has OpenClaw put one of its databases in order: its own dry run first, then the change through the process that
 * serves the database, and then a check of every row. What the command says about its success does not count; the
 * database does.
 */
export async function cleanDatabase(
  ports: CleanPorts,
  request: CleanDatabaseRequest,
): Promise<CleanedDatabase> {
  const { place, actor, expected, onStep = () => undefined } = request
  const { root, database, agent } = place
  onStep('Asking OpenClaw what it would do')
  const planned = await planCleanup(ports, request)
  if (planned.kind === 'refused') return { ...planned, cleanup: null }
  const { cleanup } = planned
  const refuse = (refusal: WriteRefusal): CleanedDatabase => ({ kind: 'refused', refusal, cleanup })
  if (expected !== null && expected !== cleanupText(cleanup)) {
    const message = `What OpenClaw would do to ${database} is not what it was when it was looked at. Nothing was changed; look at it again.`
    return refuse({ code: 'changed', message })
  }
  if (!cleanup.changes) return { kind: 'nothing', cleanup }
  const through = await chooseWay(ports, request)
  if (typeof through !== 'string') return refuse(through)
  onStep('Counting what the database holds')
  const before = await lookAtDatabase(ports.census, database, null)
  if (typeof before === 'string') return refuse({ code: 'failed', message: before })
  const intent = {
    kind: 'maintain',
    actor,
    reason: `Maintenance of ${database} by OpenClaw itself: ${removedInAll(cleanup)} sessions to leave the index, ${archivedInAll(cleanup)} to be put aside, ${cleanup.files.count} files to be deleted.`,
    session: null,
    summary: { agent, through, entriesBefore: before.keys.size },
  } as const
  const receipt = await beginOutside(ports, intent, root)
  await request.onReceipt?.(receipt.id)
  onStep(through === 'gateway' ? 'OpenClaw’s gateway is at it' : 'OpenClaw is at it')
  const reply = await ports.commands.cleanUp(request, through)
  onStep('Reading the database again')
  const after = await lookAtDatabase(ports.census, database, before)
  const effect = typeof after === 'string' ? null : verifyCleanup(cleanup, before, after)
  const summary =
    effect === null ? intent.summary : { ...intent.summary, ...summaryOf(effect, cleanup, before) }
  const end = (how: Pick<Receipt, 'state' | 'verified' | 'problem'>) =>
    endOutside(ports, receipt, { ...how, summary }, [database])
  const said = reply.kind === 'failed' ? reply.message : reply.kind === 'stopped' ? 'Stopped.' : null
  if (effect !== null && said !== null && !effect.changed) {
    const later = through === 'gateway' ? ', but the gateway may still be at it' : ''
    const message = `${said} The database is as it was${later}.`
    await end({ state: 'failed', verified: false, problem: message })
    return refuse({ code: reply.kind === 'stopped' ? 'stopped' : 'failed', message })
  }
  const problems = [
    ...(said === null ? [] : [said]),
    ...(typeof after === 'string' ? [after] : []),
    ...(effect?.problems ?? []),
    ...(reply.kind === 'answered' && effect !== null ? contradictions(reply.answer, effect, database) : []),
  ]
  if (effect === null || problems.length > 0) {
    const message = `OpenClaw's maintenance of ${database} is not what was announced: ${problems.join(' ')}`
    const ended = await end({ state: 'done', verified: false, problem: message })
    return { kind: 'unverified', message, receipt: ended.receipt }
  }
  const ended = await end({ state: 'done', verified: true, problem: null })
  return { kind: 'done', cleanup, effect, ...ended }
}

/** Through the gateway where one runs, which then is the only writer; never beside a turn that runs without one. */
async function chooseWay(
  { live }: Pick<CleanPorts, 'live'>,
  { place: { root, database, remote }, wait }: CleanDatabaseRequest,
): Promise<'gateway' | 'database' | WriteRefusal> {
  const owner = await waitForLock(live, { file: database, root, kind: 'openclaw' }, wait)
  if (owner === null) return 'database'
  if (owner.via !== 'gateway') {
    const message = `${database} is in use by ${describeOwner(owner)}. Wait for its end and try again.`
    return { code: 'live', message }
  }
  if (!remote) return 'gateway'
  return {
    code: 'live',
    message: `${database} is in use by ${describeOwner(owner)}, and OpenClaw's own configuration (gateway.mode) sends its commands to another machine. Run "openclaw sessions cleanup" there.`,
  }
}

function contradictions(said: Cleanup, effect: CleanupEffect, database: string): string[] {
  const problems: string[] = []
  if (said.database !== database) problems.push(`It says that it changed ${said.database}.`)
  if (said.dryRun) problems.push('It says that it was a dry run.')
  if (removedInAll(said) !== effect.removed.length)
    problems.push(`It says that ${removedInAll(said)} sessions left the index.`)
  if (archivedInAll(said) !== effect.archived.length)
    problems.push(`It says that ${archivedInAll(said)} sessions were put aside.`)
  return problems
}

function summaryOf(effect: CleanupEffect, announced: Cleanup, before: DatabaseCensus) {
  return {
    entriesAfter: before.keys.size - effect.removed.length,
    removed: effect.removed.length,
    putAside: effect.archived.length,
    transcriptsTakenOut: effect.transcripts,
    transcriptsInArchives: effect.keptInArchives,
    filesAnnounced: announced.files.count,
  }
}

function refused(code: WriteRefusal['code'], message: string): PlannedCleanup & { kind: 'refused' } {
  return { kind: 'refused', refusal: { code, message } }
}
