import { resolve } from 'node:path'
import { openLogFolder, openLogReader } from '../../compose/logs'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import type { LogKind } from '../../core/logs/log-kinds'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import { LogFollower } from '../../engine/logs/follow-logs'
import type { BrokenLine, LoggedRecord, LogReader } from '../../engine/logs/log-ports'
import { formatQuantity } from '../../view/text/format'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import { policiesOf } from './chosen-policy'
import type { ReadVerbOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

export type LogOptions = ReadVerbOptions & {
  readonly policy?: string
  /** Folder to read instead of the known ones. */
  readonly path?: string
  /** Session id, or its unique beginning. */
  readonly session?: string
}

/** What a reading of logs came to. */
export type LogReading = {
  /** Folders that were examined. */
  readonly folders: readonly string[]
  readonly broken: { readonly count: number; readonly first: readonly BrokenLine[] }
}

/** So many broken lines are named; the others are counted. */
const NAMED_BROKEN = 20

/**
 * Hands every line of the logs to `take`: those of one session, if one is named. Broken lines and files are printed on
 * standard error and never stop the rest.
 * @throws CliError when the beginning of a session id fits several
 */
export async function readLogs(
  io: Io,
  options: LogOptions,
  kinds: readonly LogKind[] | null,
  take: (logged: LoggedRecord) => void,
): Promise<LogReading> {
  const reader = await chooseReader(io, options)
  const follower = new LogFollower(reader, kinds)
  const wanted = options.session === undefined ? null : new WantedSession(options.session)
  const first: BrokenLine[] = []
  let count = 0
  for await (const { records, broken } of follower.read()) {
    for (const logged of records) wanted === null ? take(logged) : wanted.push(logged)
    count += broken.length
    first.push(...broken.slice(0, NAMED_BROKEN - first.length))
  }
  for (const logged of wanted?.found() ?? []) take(logged)
  const [worst] = first
  if (worst !== undefined)
    await note(
      io,
      `${formatQuantity(count, 'line')} could not be read and ${count === 1 ? 'was' : 'were'} passed over; the first: ${worst.file}:${worst.line}: ${worst.problem}`,
    )
  for (const { problem } of follower.problems) await note(io, problem)
  return { folders: reader.folders().map(({ path }) => path), broken: { count, first } }
}

async function chooseReader(io: Io, { path, store, policy }: LogOptions): Promise<LogReader> {
  if (path !== undefined) return openLogFolder(resolve(io.cwd, path))
  const { stores } = await openSources(io, store)
  const policies = await policiesOf(io, stores, policy)
  const named = store?.map((each) => resolve(io.cwd, each)) ?? null
  return openLogReader(setupOrFail(io), io.env, { policies, named })
}

/** Gathers the lines of the session that is meant: of that very id, else of the only one that begins so. */
class WantedSession {
  private readonly bySession = new Map<string, LoggedRecord[]>()

  constructor(private readonly wanted: string) {}

  push(logged: LoggedRecord): void {
    const { sessionId } = logged.record
    if (!sessionId?.startsWith(this.wanted)) return
    const known = this.bySession.get(sessionId)
    if (known === undefined) this.bySession.set(sessionId, [logged])
    else known.push(logged)
  }

  found(): readonly LoggedRecord[] {
    const exact = this.bySession.get(this.wanted)
    if (exact !== undefined) return exact
    const candidates = [...this.bySession.keys()]
    if (candidates.length > 1)
      throw new CliError(
        EXIT.usage,
        `${JSON.stringify(this.wanted)} fits ${candidates.length} sessions: ${candidates.slice(0, 10).join(', ')}.`,
        { candidates },
      )
    return [...this.bySession.values()].flat()
  }
}

/** Keeps the newest lines of many. */
export class Newest {
  private rows: LoggedRecord[] = []
  private passed = 0

  constructor(private readonly most: number) {}

  push(logged: LoggedRecord): void {
    this.rows.push(logged)
    if (this.rows.length > this.most * 4) this.cut()
  }

  /** Oldest first; lines without a time are before all others. */
  result(): { readonly rows: readonly LoggedRecord[]; readonly earlier: number } {
    this.cut()
    return { rows: this.rows, earlier: this.passed }
  }

  private cut(): void {
    this.rows.sort((a, b) => (a.record.at ?? 0) - (b.record.at ?? 0))
    const over = Math.max(0, this.rows.length - this.most)
    this.rows = this.rows.slice(over)
    this.passed += over
  }
}

/** A line for programs: its values under our names, what is unknown null, credentials covered. */
export function lineJson({ record, file, line }: LoggedRecord): object {
  const { at, ...values } = record
  return {
    file,
    line,
    at: at === null ? null : new Date(at).toISOString(),
    ...(maskValue('', values, maskSecrets) as Omit<AnyLogRecord, 'at'>),
  }
}
